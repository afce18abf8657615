package io.carillon.web;

import io.carillon.boot.SipTurns;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.servlet.ServletException;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipSessionsUtil;
import javax.servlet.sip.SipURI;
import org.jspecify.annotations.Nullable;

/**
 * The calls of the users, from the side of the pages. Any thread: what a page wishes is done in the
 * turn of its call, so that no handler of that call runs meanwhile. Holds the calls that are not
 * over, and the last of each user.
 */
public final class WebCalls implements CallListener {

    private final WebProperties properties;
    private final Destinations destinations;
    private final SipFactory factory;
    private final SipSessionsUtil sessions;
    private final SipTurns turns;
    private final CallFlow flow;

    /** Each user's, oldest first, in a list of its own that is never changed: they are few. */
    private final Map<String, List<WebCall>> byUser = new ConcurrentHashMap<>();

    private final AtomicInteger open = new AtomicInteger();

    WebCalls(
            WebProperties properties,
            Destinations destinations,
            SipFactory factory,
            SipSessionsUtil sessions,
            SipTurns turns,
            CallFlow flow) {
        this.properties = properties;
        this.destinations = destinations;
        this.factory = factory;
        this.sessions = sessions;
        this.turns = turns;
        this.flow = flow;
    }

    /**
     * Begins a call between the user's phone and somebody.
     *
     * @param wish an id of the page's; the same one again gives the same call. Null: none
     * @throws ApiProblem when it may not be
     */
    WebCall begin(String user, String phone, String to, @Nullable String wish)
            throws ServletParseException {
        return place(user, destinations.trusted(phone), destinations.of(to), wish);
    }

    /**
     * The same for the application's own code, which may call whom it likes. The phone is called in
     * the turn of the new call, which is not waited for.
     *
     * @param phone SIP URI of the phone that rings first
     * @param destination SIP URI of the other side
     * @param wish as for pages, or null
     * @throws ServletParseException when one of them is no SIP URI
     */
    public WebCall place(String user, String phone, String destination, @Nullable String wish)
            throws ServletParseException {
        return place(user, destinations.trusted(phone), destinations.trusted(destination), wish);
    }

    private WebCall place(String user, SipURI phone, SipURI destination, @Nullable String wish) {
        if (open.incrementAndGet() > properties.callsInAll()) {
            open.decrementAndGet();
            throw ApiProblem.full();
        }
        SipApplicationSession session = factory.createApplicationSession();
        WebCall call =
                new WebCall(session.getId(), user, destination.toString(), wish, Instant.now());
        boolean begins = false;
        try {
            WebCall known = add(call);
            begins = known == call;
            if (!begins) {
                return known;
            }
        } finally {
            if (!begins) {
                open.decrementAndGet();
                session.invalidate();
            }
        }
        // From here on the end of the session is the call's.
        session.setAttribute(WebCall.ATTRIBUTE, call);
        try {
            turns.execute(session, () -> begin(session, call, phone));
        } catch (RuntimeException e) {
            flow.gone(session, call);
            throw e;
        }
        return call;
    }

    private void begin(SipApplicationSession session, WebCall call, SipURI phone)
            throws ServletException, IOException {
        try {
            flow.begin(session, call, phone);
        } catch (ServletException | IOException | RuntimeException e) {
            flow.gone(session, call);
            throw e;
        }
    }

    /** The call, or the one of the same wish. */
    private WebCall add(WebCall call) {
        WebCall[] result = {call};
        byUser.compute(
                call.user(),
                (name, before) -> {
                    List<WebCall> calls = before == null ? List.of() : before;
                    for (WebCall other : calls) {
                        if (call.wish() != null && call.wish().equals(other.wish())) {
                            result[0] = other;
                            return before;
                        }
                    }
                    List<WebCall> all = new ArrayList<>(calls.size() + 1);
                    for (WebCall other : calls) {
                        if (other.state() != CallState.ENDED) {
                            all.add(other);
                        }
                    }
                    if (all.size() >= properties.callsPerUser()) {
                        throw ApiProblem.tooManyCalls(properties.callsPerUser());
                    }
                    all.add(call);
                    return List.copyOf(all);
                });
        return result[0];
    }

    /** The user's calls that are not over, and the last that is, oldest first. */
    public List<WebCall> of(String user) {
        return byUser.getOrDefault(user, List.of());
    }

    /**
     * One of the user's calls.
     *
     * @throws ApiProblem 404, for those of others too
     */
    WebCall of(String user, String id) {
        for (WebCall call : of(user)) {
            if (call.id().equals(id)) {
                return call;
            }
        }
        throw ApiProblem.noSuch("call", id);
    }

    /**
     * Hangs up: in the call's turn, which is not waited for. Nothing that comes later connects it.
     *
     * @throws ApiProblem 409 when it has ended
     */
    public void end(WebCall call) {
        SipApplicationSession session = sessions.getApplicationSessionById(call.id());
        if (session == null || call.state() == CallState.ENDED) {
            throw ApiProblem.hasEnded(call.id());
        }
        turns.execute(session, () -> flow.end(session, EndReason.HUNG_UP_BY_PAGE));
    }

    /** Calls that are not over. */
    public int open() {
        return open.get();
    }

    @Override
    public void ended(WebCall call, SipApplicationSession session) {
        open.decrementAndGet();
        if (!properties.accounts().containsKey(call.user())) {
            // Nobody signs in to look at it any more.
            byUser.computeIfPresent(
                    call.user(),
                    (name, before) -> {
                        List<WebCall> left = new ArrayList<>(before);
                        left.remove(call);
                        return left.isEmpty() ? null : List.copyOf(left);
                    });
        }
    }
}
