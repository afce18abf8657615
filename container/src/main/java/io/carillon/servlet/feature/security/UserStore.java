package io.carillon.servlet.feature.security;

import io.carillon.sip.auth.DigestAlgorithm;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where users are kept. Called on threads of applications, never on an event loop. */
public interface UserStore {
    /** Knows nobody. */
    UserStore EMPTY = (realm, name) -> null;

    /**
     * What is stored of a user.
     *
     * @param ha1 H(user:realm:password) by algorithm; the password itself is not known
     * @param roles of the user in this realm
     */
    record User(String name, Map<DigestAlgorithm, String> ha1, Set<String> roles) {
        public User {
            ha1 = Map.copyOf(ha1);
            roles = Set.copyOf(roles);
        }

        @Override
        public String toString() {
            return "User " + name + " " + roles; // what stands for the password stays out of logs
        }
    }

    /** The store has no time for a question now: whoever asks may come again. */
    final class Busy extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        public Busy(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * The user of that name in the realm, null when there is none. May block.
     *
     * @throws Busy when the store has no time now: the request gets 503
     * @throws IllegalStateException when the store cannot be asked
     */
    @Nullable User find(String realm, String name);
}
