// Makes docs/monitoring/dashboard.json with Grafana's foundation SDK; --check says whether the file is as it would be made.
import { readFileSync, writeFileSync } from 'node:fs';
import common from '@grafana/grafana-foundation-sdk/common';
import dashboard from '@grafana/grafana-foundation-sdk/dashboard';
import prometheus from '@grafana/grafana-foundation-sdk/prometheus';
import timeseries from '@grafana/grafana-foundation-sdk/timeseries';

const FILE = new URL('../../docs/monitoring/dashboard.json', import.meta.url);
const SOURCE = { type: 'prometheus', uid: '${datasource}' };
const WHERE = 'job=~"$job",instance=~"$instance"';
const WIDTH = 8;
const HEIGHT = 8;

/** The value of a metric. */
const now = (metric) => `${metric}{${WHERE}}`;
/** What is added to it each second. */
const rate = (metric) => `rate(${metric}{${WHERE}}[$__rate_interval])`;
/** A share of a histogram's values is below it. */
const below = (share, metric, more = '', by = 'le') => `histogram_quantile(${share}, sum by (${by}) (rate(${metric}_bucket{${WHERE}${more}}[$__rate_interval])))`;
/** Median, 95 % and 99 %. */
const spread = (metric, more) => [[0.5, 'median'], [0.95, '95 %'], [0.99, '99 %']].map(([share, name]) => [name, below(share, metric, more)]);
const each = (expression) => [['{{instance}}', expression]];

// Rows: panels of title, unit, and series of name and query.
const ROWS = {
  Calls: [
    ['Calls held', 'short', each(now('carillon_calls_held'))],
    ['Calls started each second', 'cps', each(rate('carillon_calls_started_total'))],
    ['How legs end, each second', 'cps', [['{{status}} by {{ended_by}}', `sum by (status, ended_by) (${rate('carillon_calls_ended_total')})`]]],
    ['Invite to ring', 's', spread('carillon_call_ring_seconds', ',direction="in"')],
    ['Invite to answer', 's', spread('carillon_call_answer_seconds', ',direction="in"')],
    ['Length of calls', 's', spread('carillon_call_length_seconds', ',direction="in"')],
    ['Legs by peer, each second', 'cps', [['{{peer}}', `sum by (peer) (${rate('carillon_calls_ended_total')})`]]],
  ],
  Applications: [
    ['Time of handlers, 95 %', 's', [['{{application}} {{method}}', below(0.95, 'carillon_handler_seconds', '', 'le, application, method')]]],
    ['INVITEs wait for their handler', 's', spread('carillon_call_wait_seconds')],
    ['Errors of applications, each second', 'cps', each(rate('carillon_applications_errors_total'))],
    ['Slow handlers', 'short', each(now('carillon_slow_handlers'))],
  ],
  Messages: [
    ['Messages each second', 'cps', [['{{kind}} {{direction}}', `sum by (direction, kind) (${rate('carillon_messages_total')})`]]],
    ['Repeated messages each second', 'cps', [['{{direction}}', `sum by (direction) (${rate('carillon_retransmissions_total')})`]]],
    ['Responses sent, by class', 'cps', [2, 3, 4, 5, 6].map((hundred) => [`${hundred}xx`, `sum(${rate(`carillon_sip_responses_out_${hundred}xx_total`)})`])],
    ['Connections', 'short', each(now('carillon_connections'))],
    ['Dropped each second', 'cps', [['by us', rate('carillon_messages_dropped_total')], ['by the kernel', rate('carillon_kernel_drops_total')]]],
  ],
  Server: [
    ['Queueing delay', 's', each(now('carillon_queueing_delay_seconds'))],
    ['Load', 'percent', each(now('carillon_load'))],
    ['Heap', 'bytes', [['used', now('carillon_heap_used_bytes')], ['taken', now('carillon_heap_committed_bytes')]]],
    ['Pauses of the collector', 's', [['99 %', now('carillon_gc_pause_p99_seconds')], ['longest', now('carillon_gc_pause_max_seconds')]]],
    ['CPU', 'percentunit', [['process', now('process_cpu_usage')], ['machine', now('system_cpu_usage')]]],
    ['Call records each second', 'cps', [['written', rate('carillon_cdr_records_written_total')], ['sent', rate('carillon_cdr_records_sent_total')]]],
    ['Call records that wait', 'bytes', each(now('carillon_cdr_now_spool_bytes'))],
  ],
};

function panel([title, unit, series]) {
  const made = new timeseries.PanelBuilder()
    .title(title)
    .unit(unit)
    .min(0)
    .span(WIDTH)
    .height(HEIGHT)
    .datasource(SOURCE)
    .legend(new common.VizLegendOptionsBuilder().displayMode('list').placement('bottom').showLegend(true))
    .tooltip(new common.VizTooltipOptionsBuilder().mode('multi').sort('none'));
  series.forEach(([name, query], i) => made.withTarget(new prometheus.DataqueryBuilder().refId(String.fromCharCode(65 + i)).datasource(SOURCE).expr(query).legendFormat(name)));
  return made;
}

const variable = (name, label, query) =>
  new dashboard.QueryVariableBuilder(name).label(label).datasource(SOURCE).query(query).refresh(name === 'job' ? 1 : 2).includeAll(true).multi(true);

const made = new dashboard.DashboardBuilder('Carillon')
  .uid('carillon')
  .tags(['sip'])
  .refresh('10s')
  .time({ from: 'now-1h', to: 'now' })
  .timezone('browser')
  .withVariable(new dashboard.DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'))
  .withVariable(variable('job', 'Job', 'label_values(carillon_calls_held, job)'))
  .withVariable(variable('instance', 'Server', 'label_values(carillon_calls_held{job=~"$job"}, instance)'));
for (const [title, panels] of Object.entries(ROWS)) {
  made.withRow(new dashboard.RowBuilder(title));
  panels.forEach((one) => made.withPanel(panel(one)));
}
const text = `${JSON.stringify(made.build(), null, 1)}\n`;

if (process.argv.includes('--check')) {
  if (readFileSync(FILE, 'utf8') !== text) {
    console.error('docs/monitoring/dashboard.json is not as it/dashboard/build.mjs makes it: ./dev dashboard');
    process.exit(1);
  }
} else {
  writeFileSync(FILE, text);
}
