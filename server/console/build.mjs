// Makes the console's files from src and npm's libraries. ./dev console runs it; with --check it only says whether they are as built.
import { build } from 'esbuild';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, '../src/main/resources/io/carillon/server/console');
const check = process.argv.includes('--check');

const licences = `/*! Carillon's console, Apache-2.0. With Preact ${await version('preact')} and uPlot ${await version('uplot')}, both of the MIT licence, which follow.
${await licence('preact')}
${await licence('uplot')} */`;

async function version(name) {
  return JSON.parse(await readFile(join(here, 'node_modules', name, 'package.json'), 'utf8')).version;
}

async function licence(name) {
  return (await readFile(join(here, 'node_modules', name, 'LICENSE'), 'utf8')).trim();
}

const made = await build({
  entryPoints: { console: join(here, 'src/main.jsx') },
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['chrome110', 'firefox115', 'safari16'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  charset: 'utf8',
  legalComments: 'none',
  banner: { js: licences },
  outdir: target,
  write: false,
});
const files = new Map(made.outputFiles.map((file) => [file.path.slice(target.length + 1), file.contents]));
for (const name of ['index.html', 'icon.svg']) files.set(name, await readFile(join(here, 'src', name)));

await mkdir(target, { recursive: true });
let stale = 0;
for (const [name, bytes] of files) {
  const path = join(target, name);
  if (check) {
    const there = await readFile(path).catch(() => Buffer.alloc(0));
    if (Buffer.compare(there, Buffer.from(bytes)) !== 0) {
      console.error(`${path} is not as src makes it: ./dev console writes it`);
      stale++;
    }
  } else {
    await writeFile(path, bytes);
    console.log(`${name} ${bytes.length} bytes`);
  }
}
process.exit(stale > 0 ? 1 : 0);
