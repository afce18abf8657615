// The last minutes of the server's status, one point a second; kept while the console is open, and bounded.
const MOST = 600;

export function emptyHistory() {
  return { last: null, points: [] };
}

/** Call records that are nowhere, by why; as the alert CarillonRecordsLost of docs/monitoring/alerts.yml adds them up. */
export const LOST_RECORDS = [
  'cdr.records_dropped_queue',
  'cdr.records_dropped_spool',
  'cdr.records_unwritten',
  'cdr.records_refused',
  'cdr.legs_not_followed',
];

const RATES = {
  calls: (s) => s.calls.started,
  in: (s) => s.messages.requestsIn + s.messages.responsesIn,
  out: (s) => s.messages.requestsOut + s.messages.responsesOut,
  retransmissions: (s) => s.messages.retransmissionsSent,
  drops: (s) => s.kernelDrops + s.messages.dropped,
  recordsLost: (s) => LOST_RECORDS.reduce((sum, name) => sum + (s.counters?.[name] ?? 0), 0),
};

/** History with one more status. */
export function withStatus(history, status, now = Date.now() / 1000) {
  const before = history.points.at(-1);
  const seconds = before ? Math.max(0.2, now - before.at) : 1;
  const counts = {};
  const rates = {};
  for (const [name, of] of Object.entries(RATES)) {
    counts[name] = of(status);
    rates[name] = before ? Math.max(0, (counts[name] - before.counts[name]) / seconds) : null;
  }
  const point = {
    at: now,
    counts,
    rates,
    held: status.calls.held,
    delay: status.overload.delayMillis,
    load: status.overload.load,
    heap: status.heap.usedBytes,
    pause: status.gcPauses.maxMillis,
    shed: status.overload.shedPerSecond,
  };
  return { last: status, points: [...history.points.slice(1 - MOST), point] };
}

export const series = (history, of) => [history.points.map((p) => p.at), history.points.map(of)];

/** How much a count has grown in the last so many seconds that were seen. */
export function grown(history, name, seconds) {
  const points = history.points;
  if (points.length < 2) return 0;
  const last = points.at(-1);
  const first = points.find((p) => last.at - p.at <= seconds);
  return last.counts[name] - first.counts[name];
}
