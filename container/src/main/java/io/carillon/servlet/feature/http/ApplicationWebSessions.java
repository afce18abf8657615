package io.carillon.servlet.feature.http;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.kernel.AbsentSessions;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.NewSessions;
import io.carillon.servlet.kernel.PageRecord;
import io.carillon.servlet.kernel.SessionHost;
import io.carillon.servlet.port.NoRoom;
import io.carillon.servlet.port.PageVisitor;
import io.carillon.servlet.port.SessionTokens;
import io.carillon.sip.guard.Shares;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The application sessions of one application in the container. Immutable; any thread. */
public final class ApplicationWebSessions implements WebSessions {
    private static final String NAME = SessionTokens.PARAMETER + "=";

    private final SessionHost host;
    private final NewSessions newSessions;
    private final Application application;

    public ApplicationWebSessions(
            SessionHost host, NewSessions newSessions, Application application) {
        this.host = host;
        this.newSessions = newSessions;
        this.application = application;
    }

    @Override
    public String application() {
        return application.name();
    }

    @Override
    public ApplicationSession create(PageVisitor visitor) {
        return newSessions.visited(application, host.shards().beginning(), visitor);
    }

    @Override
    public Shares shares(int httpSessions) {
        return host.tables().shares().of(httpSessions);
    }

    @Override
    public int most() {
        return host.tables().cap();
    }

    @Override
    public NoRoom refused(String why) {
        host.counters().refusedPages.increment();
        return new NoRoom(why);
    }

    @Override
    public @Nullable ApplicationSession encodedIn(@Nullable String query) {
        String token = query == null ? null : token(query);
        String id = token == null ? null : host.tokens().id(token);
        ApplicationSession found = id == null ? null : find(id);
        return found != null && found.isValid() && found.application() == application
                ? found
                : null;
    }

    /** Here, or brought here from the record that another node has left. */
    private @Nullable ApplicationSession find(String id) {
        ApplicationSession found = host.tables().find(id);
        AbsentSessions absent = found == null ? host.parts().get(AbsentSessions.SLOT) : null;
        if (absent != null) {
            absent.await(id);
            found = host.tables().find(id);
        }
        return found;
    }

    @Override
    public @Nullable ApplicationSession known(String id) {
        ApplicationSession found = find(id);
        return found != null && found.isValid() && found.application() == application
                ? found
                : null;
    }

    @Override
    public @Nullable KeptSessions kept() {
        KeptPages pages =
                application.description().distributable() ? host.parts().get(KeptPages.SLOT) : null;
        return pages == null ? null : new Kept(pages, application);
    }

    private record Kept(KeptPages pages, Application application) implements KeptSessions {
        @Override
        public void write(String id, PageRecord session) {
            pages.write(application, id, session);
        }

        @Override
        public void remove(String id) {
            pages.remove(application, id);
        }

        @Override
        public @Nullable PageRecord read(String id) {
            return pages.read(application, id);
        }

        @Override
        public void place(String id, Consumer<@Nullable String> then) {
            pages.place(application, id, then);
        }

        @Override
        public void sweep() {
            pages.sweep();
        }
    }

    private static @Nullable String token(String query) {
        for (String pair : query.split("&", -1)) {
            if (pair.startsWith(NAME)) {
                try {
                    return URLDecoder.decode(pair.substring(NAME.length()), StandardCharsets.UTF_8);
                } catch (IllegalArgumentException notEncoded) {
                    return null; // nothing that we wrote
                }
            }
        }
        return null;
    }
}
