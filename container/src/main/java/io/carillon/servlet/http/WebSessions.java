package io.carillon.servlet.http;

import io.carillon.servlet.session.ApplicationSession;
import org.jspecify.annotations.Nullable;

/** The application sessions of one application, as its HTTP sessions see them. Any thread. */
public interface WebSessions {
    /**
     * A new application session. The listeners are not told before {@link
     * ApplicationSession#announce}.
     *
     * @throws IllegalStateException when the container has no room for another
     */
    ApplicationSession create();

    /**
     * The application session that {@code SipApplicationSession.encodeURL} wrote into a URL.
     *
     * @param query of the URL, or null
     * @return null where there is none, where it is over or another application's, and where the
     *     seal is not ours
     */
    @Nullable ApplicationSession encodedIn(@Nullable String query);
}
