package io.carillon.pojo;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Beans of the three scopes, for the tests of both frameworks. */
public final class Belongings {
    /** How many of them live. */
    public static final AtomicInteger ALIVE = new AtomicInteger();

    private Belongings() {}

    /** What the three have in common. */
    public abstract static class Bean implements java.io.Serializable {
        private static final long serialVersionUID = 1L;

        private @Nullable String owner;

        @jakarta.annotation.PostConstruct
        void born() {
            ALIVE.incrementAndGet();
        }

        @jakarta.annotation.PreDestroy
        void died() {
            ALIVE.decrementAndGet();
        }

        /** Notes the owner the first time; says whether it is the same one ever after. */
        public boolean belongsTo(String name) {
            if (owner == null) {
                owner = name;
            }
            return owner.equals(name);
        }
    }

    /** One per SIP session. */
    @SipSessionScoped
    public static class OfSession extends Bean {}

    /** One per application session. */
    @SipApplicationSessionScoped
    public static class OfApplicationSession extends Bean {}

    /** One per call. */
    @CallScoped
    public static class OfCall extends Bean {}
}
