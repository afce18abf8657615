package io.carillon.sip.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Compares messages by what they say: start line, headers in order, typed views, body. */
public final class MessageStructure {
    private MessageStructure() {}

    /** The exact bytes of a message. */
    public static byte[] wire(SipMessage message) {
        return Arrays.copyOf(message.bytes(), message.length());
    }

    public static void assertSame(SipMessage a, SipMessage b) {
        assertThat(describe(a)).isEqualTo(describe(b));
        assertThat(a.body()).isEqualTo(b.body());
    }

    /** Everything but Content-Length, whose absence means the same as the right value. */
    private static List<String> describe(SipMessage m) {
        List<String> out = new ArrayList<>();
        switch (m) {
            case SipRequest r -> out.add(r.method() + ' ' + r.requestUri());
            case SipResponse r -> out.add(r.status() + " " + r.reason());
        }
        for (int i = 0; i < m.headerCount(); i++) {
            if (!m.nameAt(i).equals(HeaderName.CONTENT_LENGTH)) {
                out.add(m.nameAt(i) + "=" + m.valueAt(i));
            }
        }
        out.add(m.topVia() + " " + m.vias());
        out.add(m.from() + " " + m.to() + " " + m.fromTag() + " " + m.toTag());
        out.add(m.callId() + " " + m.cseq() + " " + m.maxForwards());
        out.add(m.contacts() + " " + m.routes() + " " + m.recordRoutes());
        return out;
    }
}
