import { useState } from 'preact/hooks';
import { api, query, useAnswer } from './api.js';
import { bytes, clock, count, number, safe, safeLines } from './text.js';
import { Alien, Confirm, Failed, Field, Page, Table, useDeed } from './ui.jsx';

/** What carillon watch said last: why what was saved does not serve. */
function Development() {
  const answer = useAnswer('/development', 3000);
  const report = answer.value;
  if (!report?.folder) return null;
  return (
    <section aria-label="Development">
      <h2>Development</h2>
      <p class="soft">carillon watch <Alien text={report.folder} />, at {clock(report.at)}</p>
      <p class={report.deployed ? 'notice good' : 'notice bad'} role="status">{safe(report.said, 1000)}</p>
      {report.problems.length > 0 && <div class="message"><pre tabIndex={0} role="region" aria-label="What the compiler says">{safeLines(report.problems.join('\n'))}</pre></div>}
      {report.more > 0 && <p class="soft">{count(report.more, 'further problem')} in the terminal.</p>}
    </section>
  );
}

export function Applications({ may, live }) {
  const answer = useAnswer('/applications', 3000);
  const rows = live ?? answer.value ?? [];
  const [file, setFile] = useState(null);
  const [replace, setReplace] = useState(false);
  const [going, setGoing] = useState(null);
  const deed = useDeed();
  const deploy = async (e) => {
    e.preventDefault();
    const form = e.currentTarget;
    const done = await deed.run(
      () => api('POST', `/applications${query({ name: file.name, replace })}`, file, { raw: true }),
      (status) => `Deployed ${status.name} version ${status.version}.`,
    );
    if (done) {
      form.reset();
      setFile(null);
    }
    answer.again();
  };
  const undeploy = async (now) => {
    const name = going.name;
    setGoing(null);
    await deed.run(() => api('DELETE', `/applications/${encodeURIComponent(name)}${query({ now })}`), `Undeployed ${name}.`);
    answer.again();
  };
  return (
    <Page title="Applications">
      {deed.told}
      <Failed failure={answer.failure} />
      <Table
        caption="Applications and their versions"
        rows={rows}
        keyOf={(one) => `${one.name} ${one.version}`}
        empty="No application is deployed."
        columns={[
          { name: 'Application', of: (one) => <b>{safe(one.name)}</b> },
          { name: 'Version', number: true, of: (one) => number(one.version) },
          { name: 'State', of: (one) => <span class={one.state === 'started' ? 'badge good' : 'badge warn'}>{safe(one.state)}</span> },
          { name: 'Sessions', number: true, of: (one) => number(one.sessions) },
          { name: 'Archive', wide: true, of: (one) => <Alien text={one.archive} /> },
        ]}
        action={may('deployer') && ((one) => one.state === 'started' && <button type="button" onClick={() => setGoing(one)} aria-label={`Undeploy ${safe(one.name)}`}>Undeploy</button>)}
      />
      <Development />
      {may('deployer') && (
        <>
          <h2>Deploy</h2>
          <p class="soft">An archive of a running application takes its place: new calls are its own, running calls end on the version they began with.</p>
          <form class="filter" onSubmit={deploy}>
            <Field label="Archive, .war or .sar" hint={file ? bytes(file.size) : undefined}>
              <input type="file" accept=".war,.sar" required onChange={(e) => setFile(e.target.files[0] ?? null)} />
            </Field>
            <label class="check"><input type="checkbox" checked={replace} onChange={(e) => setReplace(e.target.checked)} /> in the place of another archive of that name</label>
            <button type="submit" class="main" disabled={!file || deed.busy}>{deed.busy ? 'Deploying …' : 'Deploy'}</button>
          </form>
        </>
      )}
      {going && (
        <Confirm
          text={<>New calls no longer reach {safe(going.name)}. Its {number(going.sessions)} sessions may end by themselves.</>}
          yes="Undeploy"
          onYes={() => undeploy(false)}
          onNo={() => setGoing(null)}
        />
      )}
    </Page>
  );
}

export function Routes() {
  const [uri, setUri] = useState('sip:');
  const [from, setFrom] = useState('');
  const [method, setMethod] = useState('INVITE');
  const [report, setReport] = useState(null);
  const deed = useDeed();
  const ask = async (e) => {
    e.preventDefault();
    setReport(null);
    setReport(await deed.run(() => api('POST', '/routes/query', { request: null, uri: uri.trim(), from: from.trim() || null, method })));
  };
  return (
    <Page title="Routes">
      <p class="soft">Which applications a call would visit. Nothing is sent.</p>
      <form class="filter" onSubmit={ask}>
        <Field label="Number or address" hint="As sip:alice@example.com or tel:+4930123"><input required value={uri} maxLength={1000} data-search onInput={(e) => setUri(e.target.value)} /></Field>
        <Field label="From" hint="Empty: nobody in particular"><input value={from} maxLength={1000} onInput={(e) => setFrom(e.target.value)} /></Field>
        <Field label="Method">
          <select value={method} onChange={(e) => setMethod(e.target.value)}>{['INVITE', 'MESSAGE', 'SUBSCRIBE', 'REGISTER', 'OPTIONS', 'PUBLISH'].map((m) => <option key={m}>{m}</option>)}</select>
        </Field>
        <button type="submit" class="main" disabled={deed.busy}>Try</button>
      </form>
      {deed.told}
      {report && (
        <section aria-label="The way of the call">
          <h2>{safe(report.method)} <Alien text={report.uri} /></h2>
          <p class="soft">Router: {safe(report.router)}</p>
          {report.visits.length === 0 ? <p class="empty">It visits no application.</p> : (
            <ol class="visits">
              {report.visits.map((visit, i) => (
                <li key={i} class="card">
                  <h3>{safe(visit.application)}</h3>
                  <p>{visit.servlet ? `servlet ${safe(visit.servlet)}` : 'no servlet matches'}, region {safe(visit.region)}{visit.subscriber && <>, for <Alien text={visit.subscriber} /></>}</p>
                  <Looks looks={visit.looks} />
                </li>
              ))}
            </ol>
          )}
          <Looks looks={report.rest} />
          <p><b>Then:</b> {safe(report.end, 400)}</p>
        </section>
      )}
    </Page>
  );
}

function Looks({ looks }) {
  if (looks.length === 0) return null;
  return (
    <ul class="looks">
      {looks.map((look, i) => (
        <li key={i} class={look.taken ? 'taken' : ''}>{look.line > 0 && `line ${look.line}, `}{safe(look.method)} {safe(look.application) || '(a route only)'}: {look.taken ? 'taken' : 'passed over'}{look.reason && `, ${safe(look.reason, 300)}`}</li>
      ))}
    </ul>
  );
}
