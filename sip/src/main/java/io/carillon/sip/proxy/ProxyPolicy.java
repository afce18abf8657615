package io.carillon.sip.proxy;

import io.carillon.sip.hop.Transport;
import io.carillon.sip.uri.SipUri;
import java.net.InetSocketAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How a {@link ResponseContext} forwards. Immutable; made by {@link #builder()}. */
public final class ProxyPolicy {
    /**
     * RFC 5393 5.3.3: "a maximum allowable Incoming Max-Breadth value, which is RECOMMENDED to be
     * 60".
     */
    public static final int MAX_BREADTH = 60;

    private static final ProxyPolicy DEFAULTS = builder().build();

    private final boolean parallel;
    private final boolean recurse;
    private final boolean recordRoute;
    private final boolean addToPath;
    private final boolean noCancel;
    private final boolean refuseNarrow;
    private final boolean validate;
    private final long timerCNanos;
    private final long timeoutNanos;
    private final long provisionalTimeoutNanos;
    private final @Nullable SipUri recordRouteParams;
    private final @Nullable SipUri pathParams;
    private final @Nullable InetSocketAddress local;
    private final @Nullable Transport preferred;
    private final Set<String> understood;

    private ProxyPolicy(Builder b) {
        parallel = b.parallel;
        recurse = b.recurse;
        recordRoute = b.recordRoute;
        addToPath = b.addToPath;
        noCancel = b.noCancel;
        refuseNarrow = b.refuseNarrow;
        validate = b.validate;
        timerCNanos = b.timerCNanos;
        timeoutNanos = b.timeoutNanos;
        provisionalTimeoutNanos = b.provisionalTimeoutNanos;
        recordRouteParams = b.recordRouteParams;
        pathParams = b.pathParams;
        local = b.local;
        preferred = b.preferred;
        understood = Set.copyOf(b.understood);
    }

    /**
     * Parallel, recursing, without Record-Route and Path, validating, Timer C of the stack, no
     * time-out.
     */
    public static ProxyPolicy defaults() {
        return DEFAULTS;
    }

    public static Builder builder() {
        return new Builder();
    }

    public Builder toBuilder() {
        Builder b = new Builder();
        b.parallel = parallel;
        b.recurse = recurse;
        b.recordRoute = recordRoute;
        b.addToPath = addToPath;
        b.noCancel = noCancel;
        b.refuseNarrow = refuseNarrow;
        b.validate = validate;
        b.timerCNanos = timerCNanos;
        b.timeoutNanos = timeoutNanos;
        b.provisionalTimeoutNanos = provisionalTimeoutNanos;
        b.recordRouteParams = recordRouteParams;
        b.pathParams = pathParams;
        b.local = local;
        b.preferred = preferred;
        b.understood = understood;
        return b;
    }

    /** All targets at once, or one after the other. */
    public boolean parallel() {
        return parallel;
    }

    /** Are the contacts of a 3xx tried by us (RFC 3261 16.7 step 4)? */
    public boolean recurse() {
        return recurse;
    }

    public boolean recordRoute() {
        return recordRoute;
    }

    /** RFC 3327: do we add ourselves to the Path of a REGISTER? */
    public boolean addToPath() {
        return addToPath;
    }

    /** Leave the other branches alone when one has answered with 2xx. */
    public boolean noCancel() {
        return noCancel;
    }

    /**
     * RFC 5393 5.3.3: answer 440 when Max-Breadth does not allow all parallel branches at once,
     * instead of forking serially.
     */
    public boolean refuseNarrow() {
        return refuseNarrow;
    }

    /**
     * Does {@link ResponseContext#start()} do the validation of RFC 3261 16.3? Off when the caller
     * has done it.
     */
    public boolean validate() {
        return validate;
    }

    /** Timer C in nanoseconds; 0 = the stack's. */
    public long timerCNanos() {
        return timerCNanos;
    }

    /**
     * Until the proxy gives up: per branch when sequential, from the start when parallel. In
     * nanoseconds; 0 = never.
     */
    public long timeoutNanos() {
        return timeoutNanos;
    }

    /**
     * Until a branch of an INVITE is given up that got neither a provisional response, other than
     * 100, nor a final one. In nanoseconds; 0 = never.
     */
    public long provisionalTimeoutNanos() {
        return provisionalTimeoutNanos;
    }

    /** A URI whose parameters (and user part) our Record-Route values carry. */
    public @Nullable SipUri recordRouteParams() {
        return recordRouteParams;
    }

    /** The address of ours to send from; null for the one that leads to the target. */
    public @Nullable InetSocketAddress local() {
        return local;
    }

    /** The transport to use where the target leaves it open. */
    public @Nullable Transport preferred() {
        return preferred;
    }

    /** A URI whose parameters (and user part) our Path values carry. */
    public @Nullable SipUri pathParams() {
        return pathParams;
    }

    /** Option tags, in lower case, that we accept in Proxy-Require. */
    public Set<String> understood() {
        return understood;
    }

    /** Collects a policy. Not thread safe. */
    public static final class Builder {
        private boolean parallel = true;
        private boolean recurse = true;
        private boolean recordRoute;
        private boolean addToPath;
        private boolean noCancel;
        private boolean refuseNarrow;
        private boolean validate = true;
        private long timerCNanos;
        private long timeoutNanos;
        private long provisionalTimeoutNanos;
        private @Nullable SipUri recordRouteParams;
        private @Nullable SipUri pathParams;
        private @Nullable InetSocketAddress local;
        private @Nullable Transport preferred;
        private Set<String> understood = Set.of();

        private Builder() {}

        public Builder parallel(boolean value) {
            parallel = value;
            return this;
        }

        public Builder recurse(boolean value) {
            recurse = value;
            return this;
        }

        public Builder recordRoute(boolean value) {
            recordRoute = value;
            return this;
        }

        public Builder addToPath(boolean value) {
            addToPath = value;
            return this;
        }

        public Builder noCancel(boolean value) {
            noCancel = value;
            return this;
        }

        public Builder refuseNarrow(boolean value) {
            refuseNarrow = value;
            return this;
        }

        public Builder validate(boolean value) {
            validate = value;
            return this;
        }

        public Builder timerCNanos(long value) {
            timerCNanos = value;
            return this;
        }

        public Builder timeoutNanos(long value) {
            timeoutNanos = value;
            return this;
        }

        public Builder provisionalTimeoutNanos(long value) {
            provisionalTimeoutNanos = value;
            return this;
        }

        public Builder recordRouteParams(@Nullable SipUri value) {
            recordRouteParams = value;
            return this;
        }

        /** Which address and transport of ours the branches leave by. */
        public Builder outbound(
                @Nullable InetSocketAddress address, @Nullable Transport transport) {
            local = address;
            preferred = transport;
            return this;
        }

        public Builder pathParams(@Nullable SipUri value) {
            pathParams = value;
            return this;
        }

        public Builder understood(Set<String> lowerCaseTags) {
            understood = lowerCaseTags;
            return this;
        }

        public ProxyPolicy build() {
            return new ProxyPolicy(this);
        }
    }
}
