package io.carillon.servlet.feature.proxy;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** RFC 3326: the Reason header fields of a CANCEL, from the arrays of the API. */
final class Reasons {
    private Reasons() {}

    /** Those of the caller's CANCEL; null without any. */
    static @Nullable List<String> of(SipRequest cancel) {
        List<String> reasons = cancel.headers(HeaderName.REASON);
        return reasons.isEmpty() ? null : reasons;
    }

    /** Null: as the core does without. */
    static @Nullable List<String> of(
            String @Nullable [] protocol, int @Nullable [] cause, String @Nullable [] text) {
        if (protocol == null || cause == null) {
            return null;
        }
        List<String> reasons = new ArrayList<>(protocol.length);
        for (int i = 0; i < Math.min(protocol.length, cause.length); i++) {
            String reason = protocol[i] + ";cause=" + cause[i];
            if (text != null && i < text.length && text[i] != null) {
                reason += ";text=\"" + text[i].replace("\\", "\\\\").replace("\"", "\\\"") + '"';
            }
            reasons.add(reason);
        }
        return reasons;
    }
}
