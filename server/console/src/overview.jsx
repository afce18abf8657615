import { useMemo } from 'preact/hooks';
import { Chart } from './charts.jsx';
import { alerts } from './alerts.js';
import { series } from './live.js';
import { bytes, decimal, duration, millis, number, safe } from './text.js';
import { Figure, Page, Table } from './ui.jsx';

export function AlertList({ history }) {
  const all = alerts(history);
  if (all.length === 0) return <p class="notice good">Nothing to look at: none of the alerts that this server can tell of itself holds.</p>;
  return (
    <ul class="alerts">
      {all.map((one, i) => (
        <li key={i} class={one.severity === 'critical' ? 'notice bad' : 'notice warn'}>
          <b>{one.severity === 'critical' ? 'Critical: ' : 'Warning: '}{one.name}.</b> {one.text} {one.page && <a href={`#/${one.page}`}>Look</a>}
        </li>
      ))}
    </ul>
  );
}

export function Alerts({ history }) {
  return (
    <Page title="Alerts">
      <p class="soft">What needs you now, by what this page has seen since it was opened. The twelve alerts for Prometheus, with their runbook, are in docs/guides/metrics.md.</p>
      <AlertList history={history} />
    </Page>
  );
}

export function Overview({ history }) {
  const s = history.last;
  const data = useMemo(
    () => ({
      calls: [...series(history, (p) => p.rates.calls), history.points.map((p) => p.held)],
      messages: [...series(history, (p) => p.rates.in), history.points.map((p) => p.rates.out)],
      trouble: [...series(history, (p) => p.rates.retransmissions), history.points.map((p) => p.rates.drops), history.points.map((p) => p.shed)],
      delay: [...series(history, (p) => p.delay), history.points.map((p) => p.pause)],
    }),
    [history],
  );
  if (!s) return <Page title="Overview"><p class="empty" role="status">Waiting for the first figures …</p></Page>;
  const last = history.points.at(-1);
  return (
    <Page title="Overview" aside={<span class={s.state === 'running' ? 'badge good' : 'badge warn'}>{safe(s.state)}</span>}>
      <p class="soft">Version {safe(s.version)}, process {s.pid}, up {duration(s.uptimeSeconds)}; SIP at {safe(s.sip.join(', '), 300)}</p>
      <AlertList history={history} />
      <dl class="figures">
        <Figure name="Calls held" value={number(s.calls.held)} />
        <Figure name="Calls per second" value={decimal(s.calls.perSecond)} />
        <Figure name="Load" value={number(s.overload.load)} note=" of 100" bad={s.overload.shedding} />
        <Figure name="Messages wait" value={millis(s.overload.delayMillis)} />
        <Figure name="Sent again" value={decimal(last.rates.retransmissions ?? 0)} note=" /s" />
        <Figure name="Dropped" value={number(s.kernelDrops + s.messages.dropped)} note=" since the start" />
        <Figure name="Longest pause" value={millis(s.gcPauses.maxMillis)} note={` p99 ${millis(s.gcPauses.p99Millis)}`} />
        <Figure name="Heap" value={bytes(s.heap.usedBytes)} note={` of ${bytes(s.heap.maxBytes)}`} />
        <Figure name="Connections" value={number(s.connections.open)} />
        <Figure name="Transactions" value={number(s.transactions)} />
      </dl>
      <div class="charts">
        <Chart title="Calls" data={data.calls} format={number} whole lines={[{ name: 'per second', color: '--c0', fill: true }, { name: 'held', color: '--c1' }]} />
        <Chart title="Messages per second" data={data.messages} format={number} whole lines={[{ name: 'in', color: '--c0', fill: true }, { name: 'out', color: '--c2' }]} />
        <Chart title="Trouble per second" data={data.trouble} format={decimal} lines={[{ name: 'sent again', color: '--c1' }, { name: 'dropped', color: '--c3' }, { name: 'refused', color: '--c4' }]} />
        <Chart title="Waiting" data={data.delay} format={millis} lines={[{ name: 'messages wait', color: '--c0', fill: true }, { name: 'longest pause so far', color: '--c3' }]} />
      </div>
      <h2>Handlers that run for long</h2>
      <Table
        caption="Handlers that run for long"
        rows={s.slowHandlers}
        empty="None now."
        columns={[
          { name: 'Application', of: (h) => safe(h.application) },
          { name: 'Servlet', of: (h) => safe(h.servlet) },
          { name: 'Message', of: (h) => safe(h.method) },
          { name: 'Runs', number: true, of: (h) => duration(h.seconds) },
          { name: 'It', of: (h) => (h.deadlock ? `waits for a lock of ${safe(h.deadlock)}, which waits for it` : h.holdsThread ? 'computes' : 'waits') },
          { name: 'At', of: (h) => safe(h.at || '') },
        ]}
      />
    </Page>
  );
}
