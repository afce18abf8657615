// What the test's page does: it makes the phone, and notes what happens.
import { Phone as JsSipPhone } from './jssip.mjs';
import { Phone as SipJsPhone } from './sipjs.mjs';

window.told = [];
window.start = (library, settings) => {
  const tell = (...words) => window.told.push(words.filter((word) => word !== undefined).join(' '));
  window.phone = library === 'JsSIP' ? new JsSipPhone({ ...settings, tell }) : new SipJsPhone({ ...settings, tell });
};

/** Bytes of sound that came and went. */
window.sound = async () => {
  const report = { came: 0, went: 0, state: window.phone.connection?.connectionState, ice: window.phone.connection?.iceConnectionState };
  for (const entry of (await window.phone.connection?.getStats())?.values() ?? []) {
    if (entry.type === 'inbound-rtp') report.came += entry.bytesReceived;
    if (entry.type === 'outbound-rtp') report.went += entry.bytesSent;
  }
  return report;
};
