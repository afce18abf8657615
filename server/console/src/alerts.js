// What an operator should look at now. The rules of docs/monitoring/alerts.yml that one server can tell of itself, by what this
// console has seen since it was opened.
import { duration, number, safe } from './text.js';
import { grown } from './live.js';

const WINDOW = 300;

export function alerts(history) {
  const s = history.last;
  if (!s) return [];
  const found = [];
  const add = (severity, name, text, page) => found.push({ severity, name, text, page });
  if (s.state !== 'running') add('warning', 'State', `The server is ${safe(s.state)}.`, '');
  if (s.overload.shedding) add('critical', 'Shedding', `New calls are refused since ${safe(s.overload.since)}: ${safe(s.overload.because)}.`, '');
  for (const late of s.overload.late) {
    add('critical', 'Late application', `${safe(late.application)} does not keep up since ${safe(late.since)}: ${number(late.shedPerSecond)} requests/s are refused.`, 'applications');
  }
  if (s.databaseFailure) add('critical', 'Database', safe(s.databaseFailure, 400), 'logs');
  if (s.slowHandlers.length > 0) {
    const slowest = s.slowHandlers.reduce((a, b) => (a.seconds > b.seconds ? a : b));
    add('warning', 'Slow handlers', `${number(s.slowHandlers.length)} run for long, the longest ${duration(slowest.seconds)}: ${safe(slowest.application)}, ${safe(slowest.servlet)}, ${safe(slowest.method)}.`, 'applications');
  }
  const again = grown(history, 'retransmissions', WINDOW);
  const out = grown(history, 'out', WINDOW);
  if (out > 0 && again > 0.05 * out) add('warning', 'Retransmissions', `${number(again)} of ${number(out)} messages were sent again in the last minutes.`, '');
  const drops = grown(history, 'drops', WINDOW);
  if (drops > 0) add('warning', 'Drops', `${number(drops)} messages were dropped in the last minutes.`, '');
  for (const certificate of s.tls?.certificates ?? []) {
    if (certificate.secondsLeft < 14 * 86400) {
      add(
        certificate.secondsLeft < 86400 ? 'critical' : 'warning',
        'Certificate',
        certificate.secondsLeft < 0 ? `${safe(certificate.subject)} is expired.` : `${safe(certificate.subject)} expires in ${duration(certificate.secondsLeft)}.`,
        'configuration',
      );
    }
  }
  if (s.tls?.lastFailure) add('warning', 'Certificate', safe(s.tls.lastFailure, 400), 'configuration');
  const lost = grown(history, 'recordsLost', WINDOW);
  if (lost > 0) add('critical', 'Call records', `${number(lost)} call records were lost in the last minutes.`, 'configuration');
  const away = s.counters?.['cdr.now_sinks_away'] ?? 0;
  if (away > 0) add('warning', 'Call records', `${number(away)} places of call records do not answer; the records wait.`, 'configuration');
  return found;
}
