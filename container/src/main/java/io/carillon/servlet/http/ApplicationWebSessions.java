package io.carillon.servlet.http;

import io.carillon.servlet.SipContainer;
import io.carillon.servlet.app.Application;
import io.carillon.servlet.session.ApplicationSession;
import io.carillon.servlet.session.SessionTokens;
import io.carillon.sip.guard.Shares;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The application sessions of one application in the container. Immutable; any thread. */
public final class ApplicationWebSessions implements WebSessions {
    private static final String NAME = SessionTokens.PARAMETER + "=";

    private final SipContainer container;
    private final Application application;

    public ApplicationWebSessions(SipContainer container, Application application) {
        this.container = container;
        this.application = application;
    }

    @Override
    public ApplicationSession create(long source) {
        if (container.sessions().full()) {
            container.counters().refused.increment();
            throw new NoRoom("there is no room for another application session");
        }
        if (!container.sessions().admitsPage(source)) {
            throw refused("visitors of pages hold their share of the application sessions");
        }
        return container.newSessions().visited(application, container.shards().some(), source);
    }

    @Override
    public Shares shares(int httpSessions) {
        return container.sessions().shares().of(httpSessions);
    }

    @Override
    public int most() {
        return container.sessions().cap();
    }

    @Override
    public NoRoom refused(String why) {
        container.counters().refusedPages.increment();
        return new NoRoom(why);
    }

    @Override
    public @Nullable ApplicationSession encodedIn(@Nullable String query) {
        String token = query == null ? null : token(query);
        String id = token == null ? null : container.tokens().id(token);
        ApplicationSession found = id == null ? null : container.sessions().find(id);
        return found != null && found.isValid() && found.application() == application
                ? found
                : null;
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
