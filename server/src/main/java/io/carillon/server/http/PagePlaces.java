package io.carillon.server.http;

import io.carillon.server.nodes.OtherPages;
import io.carillon.servlet.port.SessionTokens;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.function.IntConsumer;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * On which node of a cluster a request is to be served: a URL that names an application session
 * leads to the owner of its partition; else the id of an HTTP session, in a cookie or in the path,
 * names the node that has it. Where that node is gone, the application session that it belongs to
 * has moved with its partition, and leads to the owner of that: so page and call stay together. All
 * are hints that cost a hop when they are wrong; who may do what is checked where the request is
 * served. On threads of connections; never waits.
 */
final class PagePlaces {
    /** On this node. */
    static final int HERE = -2;

    /** The record of its HTTP session says it: see {@link #ask}. */
    static final int ASK = -3;

    private static final String PLACE = SessionTokens.PLACE + "=";
    private static final String PARAMETER = SessionTokens.PARAMETER + "=";

    private final OtherPages others;
    private final JettyWebSide contexts;

    PagePlaces(OtherPages others, JettyWebSide contexts) {
        this.others = others;
        this.contexts = contexts;
    }

    /** The number of a node, {@link #HERE}, {@link #ASK} or {@link OtherPages#NOBODY}. */
    int of(Request request) {
        String token = token(request.getHttpURI().getQuery());
        if (token != null && contexts.serves(request)) {
            int owner = others.owner(token);
            return owner == others.self() ? HERE : owner;
        }
        int node = contexts.nodeOf(request);
        if (node < 0 || node == others.self()) {
            return HERE;
        }
        return others.lives(node) ? node : ASK;
    }

    /**
     * Of a request whose HTTP session was at a node that is gone.
     *
     * @param then is told what {@link #of} would say, but {@link #ASK}, on any thread; where the
     *     store does not answer it is not
     */
    void ask(Request request, IntConsumer then) {
        if (!contexts.place(request, place -> then.accept(ofPlace(place)))) {
            then.accept(HERE);
        }
    }

    private int ofPlace(@Nullable String place) {
        int owner = place == null || !others.knows(place) ? HERE : others.owner(place);
        return owner == others.self() ? HERE : owner;
    }

    /** The token of a partition, where the query names an application session. */
    private @Nullable String token(@Nullable String query) {
        if (query == null || !query.contains(PLACE) || !query.contains(PARAMETER)) {
            return null;
        }
        for (String pair : query.split("&", -1)) {
            if (pair.startsWith(PLACE)) {
                String token = decoded(pair.substring(PLACE.length()));
                return others.knows(token) ? token : null;
            }
        }
        return null;
    }

    private static String decoded(String value) {
        try {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            return value; // nothing that we wrote: no token
        }
    }
}
