// The events of a trace, sorted and completed for the figures.

/** Sums of a member's seconds in one interval, by what they were spent on. */
export function parts(member) {
  const io = member.operations?.io?.seconds ?? 0;
  const waiting = Math.min(member.waiting ?? 0, Math.max(0, member.communication - io));
  return {
    computation: member.computation,
    communication: Math.max(0, member.communication - io - waiting),
    waiting,
    io,
  };
}

function completed(event) {
  const iterations = Math.max(1, event.iterations);
  return { ...event, begin: event.time - event.seconds, perIteration: event.seconds / iterations };
}

/** Spread of the computation times, as a share of the longest (TH1 of thesis Alg. 5 is its limit). */
export function imbalance(interval) {
  const seconds = interval.members.map((member) => member.computation);
  const most = Math.max(...seconds);
  return most > 0 ? (most - Math.min(...seconds)) / most : 0;
}

/** Share of the members' time that is computation. */
export function efficiency(intervals) {
  let computed = 0;
  let all = 0;
  for (const interval of intervals)
    for (const member of interval.members) {
      computed += member.computation;
      all += member.computation + member.communication;
    }
  return all > 0 ? computed / all : 0;
}

export function arrange(events) {
  const of = (name) => events.filter((event) => event.event === name);
  const intervals = of("interval").filter((event) => event.members?.length > 0).map(completed);
  const last = (list) => list[list.length - 1];
  return {
    starts: of("start"),
    intervals,
    reconfigurations: of("reconfiguration"),
    decisions: of("decision"),
    ends: of("end"),
    start: of("start")[0],
    end: last(of("end")),
    until: Math.max(0, ...events.map((event) => event.time ?? 0)),
    processes: [...new Set(intervals.flatMap((i) => i.members.map((m) => m.process)))].sort((a, b) => a - b),
    classes: [...new Set(intervals.flatMap((i) => i.members.map((m) => m.class)))],
  };
}
