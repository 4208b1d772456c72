! SPDX-License-Identifier: BSD-3-Clause
! A wave on a line, divided among the ranks. What each has is in allocatable and static arrays, in a list, in a module, and
! in the units of the run-time library.
module state
  implicit none
  type node
    integer :: step
    type(node), pointer :: next => null()
  end type node
  type(node), pointer :: first => null()
  double precision, allocatable :: u(:), v(:)
  double precision, save :: drift = 0
end module state

program waves
  use mpi
  use state
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  interface
    function xmpi_point() bind(c, name="XMPI_Point")
      import :: c_int
      integer(c_int) :: xmpi_point
    end function xmpi_point
  end interface
  integer, parameter :: n = 1000
  integer :: rank, ranks, error, step, steps, i, length
  double precision :: total, own
  type(node), pointer :: fresh
  character(len=20) :: text
  double precision :: noted
  double precision :: window(5)

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  call get_command_argument(1, text, length)
  steps = 50
  if (length > 0) read (text, *) steps
  allocate (u(0:n + 1), v(n))
  do i = 0, n + 1
    u(i) = sin(0.01d0 * (rank * n + i))
  end do
  v = 0
  window = 0
  write (text, '(a,i0)') 'notes.', rank
  open (20, file=text, status='replace', action='readwrite')
  do step = 1, steps
    error = xmpi_point()
    call exchange()
    do i = 1, n
      v(i) = v(i) + 0.25d0 * (u(i - 1) - 2 * u(i) + u(i + 1))
    end do
    u(1:n) = u(1:n) + v
    window(mod(step, 5) + 1) = sum(u(1:n)**2)
    drift = drift + maxval(abs(v)) * (rank + 1)
    allocate (fresh)
    fresh%step = step
    fresh%next => first
    first => fresh
    write (20, *) step, drift
    if (mod(step, 7) == 0) then
      rewind (20)
      do i = 1, step
        read (20, *) length, noted
      end do
      drift = drift + noted - drift * length / step / 2
    end if
    if (mod(step, 20) == 0) then
      own = sum(window) + drift
      call MPI_Reduce(own, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, error)
      if (rank == 0) write (*, '(a,i6,es24.16)') 'step ', step, total
    end if
  end do
  close (20)
  length = 0
  fresh => first
  do while (associated(fresh))
    length = length + fresh%step
    fresh => fresh%next
  end do
  own = drift + sum(u) + length * (rank + 1)
  call MPI_Reduce(own, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, error)
  if (rank == 0) print '(a,i10,es24.16)', 'total ', length, total
  call MPI_Finalize(error)
contains
  subroutine exchange()
    integer :: up, down, status(MPI_STATUS_SIZE)
    up = merge(MPI_PROC_NULL, rank + 1, rank == ranks - 1)
    down = merge(MPI_PROC_NULL, rank - 1, rank == 0)
    call MPI_Sendrecv(u(n), 1, MPI_DOUBLE_PRECISION, up, 1, u(0), 1, MPI_DOUBLE_PRECISION, down, 1, &
                      MPI_COMM_WORLD, status, error)
    call MPI_Sendrecv(u(1), 1, MPI_DOUBLE_PRECISION, down, 2, u(n + 1), 1, MPI_DOUBLE_PRECISION, up, 2, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  end subroutine exchange
end program waves
