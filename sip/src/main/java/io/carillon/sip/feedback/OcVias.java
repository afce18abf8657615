package io.carillon.sip.feedback;

import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.bytes.WireText;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.Via;
import io.carillon.sip.header.ViaScan;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.util.List;

/**
 * What a proxy does with the parameters of others: they go from neighbour to neighbour, and no
 * further. Stateless; any thread.
 */
public final class OcVias {
    private OcVias() {}

    /**
     * Does a response that is passed on have parameters below our own Via? One scan of its bytes,
     * as nearly none has.
     */
    public static boolean below(SipResponse response) {
        byte[] b = response.bytes();
        int line = response.find(HeaderName.VIA, 0);
        int from = line < 0 ? -1 : comma(b, response.valueStart(line), response.valueEnd(line));
        if (from >= 0 && in(b, from, response.valueEnd(line))) {
            return true;
        }
        while (line >= 0) {
            line = response.find(HeaderName.VIA, line + 1);
            if (line >= 0 && in(b, response.valueStart(line), response.valueEnd(line))) {
                return true;
            }
        }
        return false;
    }

    private static int comma(byte[] b, int from, int to) {
        for (int i = from; i < to; i++) {
            if (b[i] == ',') {
                return i;
            }
        }
        return -1;
    }

    /** A parameter whose name begins so; one too many only costs a closer look. */
    private static boolean in(byte[] b, int from, int to) {
        for (int i = from; i < to - 1; i++) {
            if ((b[i] | 0x20) == 'o' && (b[i + 1] | 0x20) == 'c' && begins(b[i - 1])) {
                return true;
            }
        }
        return false;
    }

    private static boolean begins(byte before) {
        return before == ';' || before == ' ' || before == '\t' || before == '\n';
    }

    /**
     * Takes them out of a response that is passed on, and puts into its top Via what the client had
     * there. RFC 7339 5.4: "A SIP client SHOULD remove the "oc", "oc-validity", and "oc-seq"
     * parameters from all Via headers of a response received, except for the topmost Via header":
     * that one was ours, and is gone.
     *
     * @param received the request as it came
     */
    public static void restore(MessageDraft upstream, SipRequest received) {
        Via top = upstream.topVia();
        if (top == null) {
            return;
        }
        Via theirs = received.topVia();
        boolean offered = theirs.hasOverloadControl() && sameClient(top, theirs);
        upstream.replaceTopVia(offered ? theirs : without(top));
        List<String> lines = upstream.all(HeaderName.VIA);
        if (lines.stream().skip(1).anyMatch(OcVias::named)) {
            upstream.remove(HeaderName.VIA);
            for (int i = 0; i < lines.size(); i++) {
                upstream.addLast(HeaderName.VIA, i == 0 ? lines.get(i) : without(lines.get(i)));
            }
        }
    }

    private static boolean named(String line) {
        byte[] b = WireText.bytes(line);
        return in(b, 1, b.length);
    }

    /** Each element of a line; what cannot be read goes on as it came. */
    private static String without(String line) {
        byte[] b = WireText.bytes(line);
        ViaScan scan = new ViaScan();
        StringBuilder kept = new StringBuilder(line.length());
        try {
            for (int at = 0; at < b.length; at = scan.end() + 1) {
                Via via = Via.parse(scan, b, at, b.length);
                kept.append(kept.isEmpty() ? "" : ", ").append(without(via));
            }
        } catch (SipParseException unreadable) {
            return line;
        }
        return kept.toString();
    }

    private static boolean sameClient(Via left, Via theirs) {
        return left.branchOrText().equals(without(theirs).branchOrText())
                && left.host().equals(theirs.host())
                && left.port() == theirs.port();
    }

    /**
     * RFC 7339 5.6: "a SIP proxy SHOULD strip the overload control parameters inserted by the
     * client before proxying the request further downstream."
     */
    public static void strip(MessageDraft downstream) {
        Via top = downstream.topVia();
        if (top != null && top.hasOverloadControl()) {
            downstream.replaceTopVia(without(top));
        }
    }

    private static Via without(Via via) {
        return via.withoutParam(OcValues.OC)
                .withoutParam(OcValues.ALGORITHM)
                .withoutParam(OcValues.VALIDITY)
                .withoutParam(OcValues.SEQUENCE);
    }
}
