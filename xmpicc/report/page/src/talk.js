// Who sends how much to whom: the last matrix of a trace as cells to draw.

/** Ranks beyond this number are shown node by node. */
const mostRanks = 64;

const isRank = (value, ranks) => Number.isInteger(value) && value >= 0 && value < ranks;
const isCount = (value) => Number.isFinite(value) && value >= 0;

/** The entries of the rows that are what they should be: from, to, bytes, messages. */
function entries({ rows, members }) {
  return rows.flatMap(({ rank, peers, messages, bytes }) =>
    [peers, messages, bytes].every(Array.isArray) && isRank(rank, members)
      ? peers
          .map((peer, i) => ({ from: rank, to: peer, bytes: bytes[i], messages: messages[i] }))
          .filter((entry) => isRank(entry.to, members) && isCount(entry.bytes) && isCount(entry.messages))
      : []
  );
}

/** What each rank is drawn as: itself, or its node, where a layout with as many ranks tells it. */
function naming(ranks, layout) {
  const byNode = ranks > mostRanks && layout.length === ranks;
  const nodes = [...new Set(layout.map((place) => String(place.node)))];
  const lane = new Map(nodes.map((node, i) => [node, i]));
  return byNode
    ? { byNode, names: nodes, of: (rank) => lane.get(String(layout[rank].node)) }
    : { byNode, names: Array.from({ length: ranks }, (_, rank) => `rank ${rank}`), of: (rank) => rank };
}

/** The names of the lanes, the cells that are not empty, and what the last matrix says of itself; null without one. */
export function talk(events, stretches) {
  const matrix = events.findLast((event) => event.event === "matrix");
  if (matrix == null || !(matrix.members > 0)) return null;
  const layout = stretches.findLast((stretch) => stretch.begin <= matrix.time)?.layout ?? [];
  const { byNode, names, of } = naming(matrix.members, layout);
  const cells = new Map();
  let bytes = 0;
  for (const entry of entries(matrix)) {
    const key = `${of(entry.from)} ${of(entry.to)}`;
    const cell = cells.get(key) ?? { from: of(entry.from), to: of(entry.to), bytes: 0, messages: 0 };
    cells.set(key, { ...cell, bytes: cell.bytes + entry.bytes, messages: cell.messages + entry.messages });
    bytes += entry.bytes;
  }
  return { byNode, names, cells: [...cells.values()], bytes, iterations: matrix.iterations };
}
