package io.carillon.servlet.feature.http;

import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.PageRecord;
import io.carillon.servlet.port.NoRoom;
import io.carillon.servlet.port.PageVisitor;
import io.carillon.sip.guard.Shares;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The application sessions of one application, as its HTTP sessions see them. Any thread. */
public interface WebSessions {
    /** Name of the application. */
    String application();

    /**
     * A new application session. The listeners are not told before {@link
     * ApplicationSession#announce}.
     *
     * @throws NoRoom when there is no room for another, or this visitor or all of them hold their
     *     share
     */
    ApplicationSession create(PageVisitor visitor);

    /**
     * What each visitor may hold of so many HTTP sessions: the part of them that it may hold of the
     * application sessions.
     */
    Shares shares(int httpSessions);

    /** Application sessions that there may be in the whole server. */
    int most();

    /** Counts a page that is refused a session, and makes what the caller throws. */
    NoRoom refused(String why);

    /**
     * The application session that {@code SipApplicationSession.encodeURL} wrote into a URL. One of
     * a call that this node has just taken over is waited for, some seconds at most.
     *
     * @param query of the URL, or null
     * @return null where there is none, where it is over or another application's, and where the
     *     seal is not ours
     */
    @Nullable ApplicationSession encodedIn(@Nullable String query);

    /** The application session of that id, where it is here and has not ended. */
    default @Nullable ApplicationSession known(String id) {
        return null;
    }

    /** Where HTTP sessions outlive their node; null where they do not. */
    default @Nullable KeptSessions kept() {
        return null;
    }

    /** HTTP sessions of one application that other nodes may go on with. */
    interface KeptSessions {
        /** Writes it, soon. */
        void write(String id, PageRecord session);

        /** It is over. */
        void remove(String id);

        /** Reads it; null where there is none, or it could not be had in time. Waits. */
        @Nullable PageRecord read(String id);

        /**
         * Reads to which partition the application session belongs that it has. Does not wait.
         *
         * @param then is told a token of that partition, or null where there is none; on any
         *     thread, where the store does not answer not at all
         */
        void place(String id, Consumer<@Nullable String> then);

        /** Removes what is over and nobody's, of all applications. Takes some seconds. */
        void sweep();
    }
}
