import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'preact/hooks';

const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const HEIGHT = 150;
const WHOLE = [1, 2, 5].flatMap((n) => [0, 1, 2, 3, 4, 5, 6].map((zeros) => n * 10 ** zeros)).sort((a, b) => a - b);
const SECONDS = [5, 10, 15, 30, 60, 120, 300];
const time = (seconds) => new Date(seconds * 1000).toLocaleTimeString('en-GB', { hour12: false });

/** Lines over the last minutes. What it shows stands in words beside it: the picture is an addition. */
export function Chart({ title, lines, data, format, whole }) {
  const place = useRef(null);
  const plot = useRef(null);
  useEffect(() => {
    const make = () => {
      plot.current?.destroy();
      const axis = { stroke: color('--soft'), grid: { stroke: color('--line'), width: 1 }, ticks: { show: false }, font: '11px system-ui, sans-serif' };
      plot.current = new uPlot(
        {
          width: place.current.clientWidth,
          height: HEIGHT,
          cursor: { y: false },
          legend: { show: false },
          scales: { y: { range: (_, min, max) => [0, Math.max(1, (max ?? 0) * 1.1)] } },
          axes: [
            { ...axis, space: 80, incrs: SECONDS, values: (_, all) => all.map(time) },
            { ...axis, size: 58, incrs: whole ? WHOLE : undefined, values: (_, all) => all.map(format) },
          ],
          series: [{}, ...lines.map((line) => ({ label: line.name, stroke: color(line.color), width: 2, fill: line.fill ? color(line.color) + '22' : undefined, points: { show: false } }))],
        },
        data,
        place.current,
      );
    };
    make();
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const sized = new ResizeObserver(() => plot.current?.setSize({ width: place.current.clientWidth, height: HEIGHT }));
    sized.observe(place.current);
    dark.addEventListener('change', make);
    window.addEventListener('carillon-theme', make);
    return () => {
      sized.disconnect();
      dark.removeEventListener('change', make);
      window.removeEventListener('carillon-theme', make);
      plot.current?.destroy();
      plot.current = null;
    };
  }, []);
  useEffect(() => {
    plot.current?.setData(data);
  }, [data]);
  const now = lines.map((line, i) => `${line.name} ${format(data[i + 1].at(-1) ?? 0)}`).join(', ');
  return (
    <figure class="chart">
      <figcaption>
        <span class="name">{title}</span>
        {lines.map((line, i) => (
          <span key={line.name} class="key"><i class={`dot ${line.color.slice(2)}`} aria-hidden="true" />{line.name} <b>{data[i + 1].at(-1) == null ? '–' : format(data[i + 1].at(-1))}</b></span>
        ))}
      </figcaption>
      <div ref={place} role="img" aria-label={`${title} over the last minutes; now ${now}`} />
    </figure>
  );
}
