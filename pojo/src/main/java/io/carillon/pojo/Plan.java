package io.carillon.pojo;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.servlet.sip.URI;
import org.jspecify.annotations.Nullable;

/**
 * What is to happen with a message, as a handler's return value: a value that aspects and tests can
 * look at. Immutable; each method that changes something gives a new plan.
 */
public sealed interface Plan {
    /** Nothing more: the handler did all itself, or the container does the rest. */
    static Plan nothing() {
        return Nothing.NOTHING;
    }

    /**
     * A response.
     *
     * @param status 101 to 699
     */
    static Respond respond(int status) {
        return new Respond(status, null, Map.of(), null, null);
    }

    /** A redirection to where the user is now (RFC 3261 section 21.3.3), 302 with Contact. */
    static Respond redirect(String contact) {
        return respond(302).header("Contact", contact);
    }

    /** Proxies an initial request to its own Request-URI. */
    static Proxy proxy() {
        return new Proxy(List.of(), true, false, true, true, 0);
    }

    /**
     * Proxies an initial request to these targets, all at once unless {@link Proxy#inSequence} is
     * asked for.
     *
     * @param targets URIs
     */
    static Proxy proxy(String... targets) {
        return new Proxy(List.of((Object[]) targets), true, false, true, true, 0);
    }

    /** As {@link #proxy(String...)}. */
    static Proxy proxy(URI... targets) {
        return new Proxy(List.of((Object[]) targets), true, false, true, true, 0);
    }

    /**
     * Bridges the call: a second dialog to its own Request-URI, and what happens on one leg happens
     * on the other, as far as no handler takes it.
     */
    static Bridge bridge() {
        return new Bridge(null, Map.of());
    }

    /**
     * Bridges the call to this target.
     *
     * @param target a URI
     */
    static Bridge bridge(String target) {
        return new Bridge(target, Map.of());
    }

    /** As {@link #bridge(String)}. */
    static Bridge bridge(URI target) {
        return new Bridge(target, Map.of());
    }

    /**
     * In a bridged call: what would happen without the handler. A request goes to the other leg, a
     * response back to where its request came from.
     */
    static Plan relay() {
        return Relay.RELAY;
    }

    /** Of {@link #nothing}. */
    enum Nothing implements Plan {
        NOTHING
    }

    /** Of {@link #relay}. */
    enum Relay implements Plan {
        RELAY
    }

    /**
     * Of {@link #respond}.
     *
     * @param status 101 to 699
     * @param reason reason phrase; null: the usual one
     * @param headers in this order; Contact only where the container lets an application set it
     * @param content body, or null
     * @param contentType media type of the body, null without one
     */
    @SuppressWarnings("ArrayRecordComponent") // copied on the way in; the container only reads it
    record Respond(
            int status,
            @Nullable String reason,
            Map<String, String> headers,
            byte @Nullable [] content,
            @Nullable String contentType)
            implements Plan {
        public Respond {
            if (status < 101 || status > 699) {
                throw new IllegalArgumentException(
                        "status " + status + " is not one of 101 to 699");
            }
            headers = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(headers));
        }

        /** With this reason phrase. */
        public Respond reason(String phrase) {
            return new Respond(status, phrase, headers, content, contentType);
        }

        /** With this header field too; one of the same name is replaced. */
        public Respond header(String name, String value) {
            Map<String, String> more = new LinkedHashMap<>(headers);
            more.put(name, value);
            return new Respond(status, reason, more, content, contentType);
        }

        /** With this body, in UTF-8. */
        public Respond body(String text, String type) {
            return body(text.getBytes(StandardCharsets.UTF_8), type);
        }

        /** With this body. */
        public Respond body(byte[] bytes, String type) {
            return new Respond(status, reason, headers, bytes.clone(), type);
        }
    }

    /**
     * Of {@link #proxy()}.
     *
     * @param targets each a String or a {@link URI}; empty: the Request-URI
     * @param parallel all at once, or one after the other
     * @param recordRoute whether later requests of the dialog come here too
     * @param supervised whether handlers see the responses
     * @param recurse whether redirections are followed
     * @param timeoutSeconds of the search; 0: the application's default
     */
    record Proxy(
            List<Object> targets,
            boolean parallel,
            boolean recordRoute,
            boolean supervised,
            boolean recurse,
            int timeoutSeconds)
            implements Plan {
        public Proxy {
            targets = List.copyOf(targets);
        }

        /** Stays in the path of the dialog (RFC 3261 section 16.6, Record-Route). */
        public Proxy recordingRoute() {
            return new Proxy(targets, parallel, true, supervised, recurse, timeoutSeconds);
        }

        /** One target after the other, each until it failed. */
        public Proxy inSequence() {
            return new Proxy(targets, false, recordRoute, supervised, recurse, timeoutSeconds);
        }

        /** Handlers do not see the responses: cheaper. */
        public Proxy unsupervised() {
            return new Proxy(targets, parallel, recordRoute, false, recurse, timeoutSeconds);
        }

        /** Redirections go to the caller. */
        public Proxy notRecursing() {
            return new Proxy(targets, parallel, recordRoute, supervised, false, timeoutSeconds);
        }

        /**
         * Gives up a target after so long.
         *
         * @param seconds more than 0
         */
        public Proxy timeout(int seconds) {
            return new Proxy(targets, parallel, recordRoute, supervised, recurse, seconds);
        }
    }

    /**
     * Of {@link #bridge()}.
     *
     * @param target a String or a {@link URI}; null: the Request-URI
     * @param headers set in the INVITE of the second leg
     */
    record Bridge(@Nullable Object target, Map<String, String> headers) implements Plan {
        public Bridge {
            headers = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(headers));
        }

        /** With this header field in the INVITE of the second leg, in place of the caller's. */
        public Bridge header(String name, String value) {
            Map<String, String> more = new LinkedHashMap<>(headers);
            more.put(name, value);
            return new Bridge(target, more);
        }
    }
}
