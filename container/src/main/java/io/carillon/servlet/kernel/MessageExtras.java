package io.carillon.servlet.kernel;

import io.carillon.sip.hop.Hop;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import javax.servlet.sip.SipServletMessage.HeaderForm;
import org.jspecify.annotations.Nullable;

/** What few messages have beside themselves; made for those. Owner: the message's. */
class MessageExtras {
    private @Nullable Map<String, Object> attributes;

    /** Set by {@code setCharacterEncoding}; goes before what Content-Type says. */
    @Nullable String encoding;

    HeaderForm headerForm = HeaderForm.DEFAULT;

    /** Of a response that never came: where its request went, for applications that look there. */
    @Nullable Hop tried;

    /** Did the container write its Session-Expires, and not the application? */
    boolean timed;

    /** Did the application change From or To, of which the peer knows nothing? */
    boolean renamed;

    final @Nullable Object attribute(String name) {
        Map<String, Object> all = attributes;
        return all == null ? null : all.get(name);
    }

    final Set<String> attributeNames() {
        Map<String, Object> all = attributes;
        return all == null ? Set.of() : all.keySet();
    }

    final void attribute(String name, Object value) {
        Map<String, Object> all = attributes;
        if (all == null) {
            all = new HashMap<>(4);
            attributes = all;
        }
        all.put(name, value);
    }

    final void removeAttribute(String name) {
        Map<String, Object> all = attributes;
        if (all != null) {
            all.remove(name);
        }
    }
}
