package io.carillon.fuzz.message;

import io.carillon.fuzz.check.Finding;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.Via;
import java.nio.charset.StandardCharsets;

/** Via: refused, or the same when printed and read once more. */
public final class ViaTarget {
    private ViaTarget() {}

    /** One input. */
    public static void fuzzerTestOneInput(byte[] data) {
        Via via;
        try {
            via = Via.parse(new String(data, StandardCharsets.UTF_8));
        } catch (SipParseException refused) {
            return;
        }
        if (via.port() < -1 || via.port() > 65_535 || via.ttl() > 255) {
            throw new Finding("port " + via.port() + ", ttl " + via.ttl());
        }
        via.received();
        via.maddr();
        via.branchOrText();
        String printed = via.withReceived("192.0.2.1").withRport(5060).toString();
        try {
            Via again = Via.parse(printed);
            Finding.unlessEqual("received", again.received(), "192.0.2.1");
            Finding.unlessEqual("rport", again.rport(), 5060);
            Finding.unlessEqual("branch", again.branch(), via.branch());
            Finding.unlessEqual("host", again.host(), via.host());
        } catch (SipParseException e) {
            throw new Finding("printed it cannot be read: " + printed + ": " + e.getMessage());
        }
    }
}
