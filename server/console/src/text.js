// How values are shown. Whatever strangers wrote goes through safe().

const LONGEST = 160;
// Controls, and marks that turn the direction of writing or are not seen: they are shown by their numbers.
const OBEYED = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const escaped = (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0');

/** One line of text that nothing obeys, cut where it is long. */
export function safe(value, longest = LONGEST) {
  const text = String(value ?? '');
  const cut = text.length > longest ? text.slice(0, longest) : text;
  const shown = cut.replace(OBEYED, escaped);
  return text.length > longest ? `${shown}… (${number(text.length)} characters)` : shown;
}

/** The same for text of several lines. */
export function safeLines(value, longest = 20000) {
  const text = String(value ?? '');
  const shown = text.slice(0, longest).replace(/\r\n/g, '\n').replace(OBEYED, (c) => (c === '\n' || c === '\t' ? c : escaped(c)));
  return text.length > longest ? `${shown}\n… (${number(text.length)} characters)` : shown;
}

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const one = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

export function number(value) {
  return value == null || !Number.isFinite(Number(value)) ? '–' : whole.format(value);
}

export function decimal(value) {
  return value == null || !Number.isFinite(Number(value)) ? '–' : one.format(value);
}

export function millis(value) {
  return value == null || !Number.isFinite(Number(value)) ? '–' : value < 10 ? `${one.format(value)} ms` : `${whole.format(value)} ms`;
}

export function bytes(value) {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  let size = Number(value);
  let unit = 0;
  for (; size >= 1024 && unit < 3; unit++) size /= 1024;
  return `${unit === 0 ? whole.format(size) : one.format(size)} ${units[unit]}`;
}

export function duration(seconds) {
  const s = Math.max(0, Math.floor(Number(seconds) || 0));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  if (s < 86400) return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
  return `${Math.floor(s / 86400)} d ${Math.floor((s % 86400) / 3600)} h`;
}

/** Time of day of an ISO time, as this browser's zone has it. */
export function clock(iso, fraction = false) {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '–';
  const text = date.toLocaleTimeString('en-GB', { hour12: false });
  return fraction ? `${text}.${String(date.getMilliseconds()).padStart(3, '0')}` : text;
}

/** Day and time. */
export function moment(iso) {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? '–' : `${date.toLocaleDateString('en-CA')} ${clock(iso)}`;
}

/** A count with its word. */
export function count(n, word, words = `${word}s`) {
  return `${number(n)} ${n === 1 ? word : words}`;
}
