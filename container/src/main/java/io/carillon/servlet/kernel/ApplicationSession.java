package io.carillon.servlet.kernel;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.bytes.Attributes;
import io.carillon.servlet.bytes.ByReference;
import io.carillon.servlet.bytes.UnderWay;
import io.carillon.servlet.port.SessionShares;
import io.carillon.servlet.port.SessionTokens;
import io.carillon.servlet.threads.ApplicationThreads;
import io.carillon.servlet.turn.ShortList;
import io.carillon.servlet.turn.Turn;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.shard.Shard;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.net.URL;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.URI;
import org.jspecify.annotations.Nullable;

/**
 * An application session: the unit of serial execution, and the owner of its sessions and timers.
 *
 * <p>Owner of all fields: whoever holds its turn ({@link Turn}); the few that other threads read
 * are volatile. Its timers lie on the wheel of {@link #home}; the wheel is told by command. What is
 * not private is what {@link SessionBytes} writes and reads.
 */
public class ApplicationSession extends SessionTurn
        implements SipApplicationSession, ByReference, SessionRooms.Whole {
    private static final AtomicIntegerFieldUpdater<ApplicationSession> NEXT_ORDINAL =
            AtomicIntegerFieldUpdater.newUpdater(ApplicationSession.class, "nextOrdinal");

    private final SessionHost host;
    private final Application application;
    private final Shard home;
    private final String id;
    private final @Nullable String key;
    long createdAtMillis;

    @UnderWay private List<ServletSession> sessions = List.of();

    final Attributes attributes = new Attributes();

    /** Each is a node of the home shard's wheel, and stays that; {@link SessionHooks#readTimer}. */
    @UnderWay private List<TimerChild> timers = List.of();

    volatile HttpChildren http = HttpChildren.NONE;
    final SessionExpiry expiry;

    /**
     * Drawn by any thread, since a timer is named before the turn is to be had; in the bytes all
     * the same.
     */
    @UnderWay private volatile int nextOrdinal;

    /** The strictest of all requests that came for it. */
    Origin origin = Origin.OWN;

    volatile boolean valid = true;
    volatile boolean invalidateWhenReady;
    boolean announced;
    @UnderWay private boolean looksReady;

    /** {@link Companion}, or what a trace remembers of it; null in nearly all. */
    @UnderWay private volatile @Nullable Object beside;

    /** By {@link SessionObjects} only. */
    @SuppressWarnings("this-escape") // the expiry looks at it later
    public ApplicationSession(
            SessionHost host,
            Application application,
            Shard home,
            String id,
            @Nullable String key) {
        this.host = host;
        this.application = application;
        this.home = home;
        this.id = id;
        this.key = key;
        this.createdAtMillis = host.millis();
        this.expiry = new SessionExpiry(this, createdAtMillis);
        this.invalidateWhenReady = application.description().invalidateWhenReady();
        this.beside = host.store().begun(this);
    }

    /** Called once, after the session is in the tables. */
    public void created() {
        expiry.arm();
    }

    /**
     * Tells the listeners of the creation, once; with the turn held, or where nobody else has the
     * session yet.
     */
    public void announce() {
        if (!announced) {
            announced = true;
            host.events().created(this);
        }
    }

    public SessionHost host() {
        return host;
    }

    @Override
    public Application application() {
        return application;
    }

    @Override
    public Shard home() {
        return home;
    }

    @Override
    public @Nullable String key() {
        return key;
    }

    @Override
    public int sessionCount() {
        return sessions.size();
    }

    @Override
    public int countedAt() {
        return SessionShares.place(expiry.share);
    }

    /** What a trace has remembered by {@link #traced(Object)}; any thread. */
    public @Nullable Object traced() {
        return Companion.traced(beside);
    }

    public void traced(@Nullable Object memory) {
        beside = Companion.remembering(beside, memory);
    }

    /** What the store keeps beside it; null for nothing. Any thread. */
    public @Nullable Companion companion() {
        return Companion.of(beside);
    }

    // ---- the turn ----

    @Override
    protected ApplicationThreads threads() {
        return host.threads();
    }

    @Override
    protected boolean onEventLoop() {
        return host.shards().inShard();
    }

    @Override
    protected void turnEnded() {
        if (looksReady && valid) {
            looksReady = false;
            endWhatIsReady();
        }
        host.store().turnEnded(this);
    }

    @Override
    public void failed(Throwable error) {
        host.hooks().failed(this, error);
    }

    /** Runs on the event loop of the home shard: here when this is it. */
    public void onHome(Runnable command) {
        // Not by the executor alone: a shard that was idle has to read the clock first.
        home.perform(command);
    }

    // ---- children ----

    /** The next number of a child: sessions and timers are named by it. Any thread. */
    public int nextOrdinal() {
        return NEXT_ORDINAL.getAndIncrement(this);
    }

    /** The number that the next child gets. */
    int ordinals() {
        return nextOrdinal;
    }

    /** The next child gets no number below this one. */
    void ordinals(int next) {
        NEXT_ORDINAL.accumulateAndGet(this, next, Math::max);
    }

    public void add(ServletSession session) {
        sessions = ShortList.with(sessions, session);
    }

    @Override
    public Origin origin() {
        return origin;
    }

    /** The valid sessions; not to be changed by the caller. */
    public List<ServletSession> sessions() {
        return sessions;
    }

    void remove(ServletSession session) {
        sessions = ShortList.without(sessions, session, ServletSession::ordinal);
        looksReady = true;
    }

    public void add(TimerChild timer) {
        timers = ShortList.with(timers, timer);
    }

    public void remove(TimerChild timer) {
        timers = ShortList.without(timers, timer, TimerChild::ordinal);
        looksReady = true;
    }

    /** An HTTP session belongs here from now on; with the turn held. */
    public void add(HttpChild child) {
        http = HttpChildren.toFill(http);
        http.add(child);
        touch();
    }

    /** With the turn held. */
    public void remove(HttpChild child) {
        http.remove(child);
        looksReady = true;
    }

    HttpChildren http() {
        return http;
    }

    /** Something happened that may have made a child ready: looked at when the turn's work ends. */
    void mayBeReady() {
        looksReady = true;
    }

    /** Its version has retired: a page that waits for nothing more belongs to the next one. */
    public void lookWhatIsLeft() {
        inTurn(this::mayBeReady);
    }

    private void endWhatIsReady() {
        for (int i = sessions.size() - 1; i >= 0 && valid; i--) {
            if (i < sessions.size()) {
                SessionEnd.ifReady(sessions.get(i));
            }
        }
        if (valid && application.state() == Application.State.RETIRING && noCallsLeft()) {
            http.invalidateIdle();
        }
        if (valid && ready()) {
            if (invalidateWhenReady) {
                host.events().readyToInvalidate(this);
            }
            // The listener may have taken the flag back, begun a request or set a timer.
            if (valid && invalidateWhenReady && ready()) {
                end();
            }
        }
    }

    // ---- expiry ----

    /** JSR 289 6.3: whenever the last accessed time changes, the expiry timer starts anew. */
    public void touch() {
        expiry.touch(host.millis());
    }

    /** As {@link #touch()}, at a time of the wall clock that was just read. */
    void touch(long nowMillis) {
        expiry.touch(nowMillis);
    }

    /** Does it expire after the default time, which nobody has chosen? */
    public boolean expiresByDefault() {
        return expiry.byDefault();
    }

    @Override
    public int setExpires(int deltaMinutes) {
        checkValid();
        inTurn(() -> expiry.extend(deltaMinutes));
        return deltaMinutes <= 0 ? Integer.MAX_VALUE : deltaMinutes;
    }

    @Override
    public long getExpirationTime() {
        checkValid();
        return expiry.time();
    }

    // ---- end ----

    @Override
    public void invalidate() {
        if (!enter()) {
            execute(() -> {
                if (valid) {
                    end();
                }
            });
            return;
        }
        try {
            checkValid();
            end();
        } finally {
            exit();
        }
    }

    /** Ends the application session with all its children. The turn is held. */
    public void end() {
        List<TimerChild> last = timers;
        timers = List.of();
        last.forEach(TimerChild::sessionEnded);
        while (!sessions.isEmpty()) {
            sessions.getLast().end();
        }
        http.invalidate();
        host.events().destroyed(this);
        valid = false;
        onHome(expiry::cancel);
        boolean held = host.tables().remove(this);
        for (String name : attributes.names()) {
            Object value = attributes.remove(name);
            if (value != null) {
                host.events().unbound(this, name, value);
            }
        }
        if (held) {
            host.tables().shares().giveBack(expiry.share);
            application.holds().giveBack();
        }
    }

    @Override
    public boolean isReadyToInvalidate() {
        enterNow();
        try {
            checkValid();
            return ready();
        } finally {
            exit();
        }
    }

    private boolean ready() {
        return http.isEmpty() && noCallsLeft();
    }

    /** No timer, and no SIP session that is not ready. */
    private boolean noCallsLeft() {
        if (!timers.isEmpty()) {
            return false;
        }
        for (int i = 0; i < sessions.size(); i++) {
            if (!SessionEnd.ready(sessions.get(i))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public boolean getInvalidateWhenReady() {
        checkValid();
        return invalidateWhenReady;
    }

    @Override
    public void setInvalidateWhenReady(boolean invalidateWhenReady) {
        checkValid();
        this.invalidateWhenReady = invalidateWhenReady;
        if (invalidateWhenReady) {
            inTurn(() -> looksReady = true);
        }
    }

    /** The session of that number, if it lives. */
    @Nullable ServletSession session(int ordinal) {
        for (int i = 0; i < sessions.size(); i++) {
            if (sessions.get(i).ordinal() == ordinal) {
                return sessions.get(i);
            }
        }
        return null;
    }

    /** The timer of that number, if it lives. */
    public @Nullable TimerChild timer(int ordinal) {
        for (int i = 0; i < timers.size(); i++) {
            if (timers.get(i).ordinal() == ordinal) {
                return timers.get(i);
            }
        }
        return null;
    }

    private void checkValid() {
        if (!valid) {
            throw new IllegalStateException("the application session " + id + " is invalid");
        }
    }

    // ---- the rest of the interface ----

    @Override
    public String getApplicationName() {
        return application.name();
    }

    @Override
    public String getId() {
        return id;
    }

    @Override
    public long getCreationTime() {
        checkValid();
        return createdAtMillis;
    }

    @Override
    public long getLastAccessedTime() {
        return expiry.accessedAtMillis();
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        checkValid();
        return attributes.get(Objects.requireNonNull(name, "name"));
    }

    @Override
    public Iterator<String> getAttributeNames() {
        checkValid();
        return attributes.names().iterator();
    }

    @Override
    public void setAttribute(String name, Object value) {
        checkValid();
        Objects.requireNonNull(name, "name");
        if (value == null) {
            removeAttribute(name);
            return;
        }
        host.store().checkAttribute(application, name, value);
        Object old = attributes.put(name, value);
        if (held()) {
            host.events().set(this, name, old, value);
        } else {
            inTurn(() -> host.events().set(this, name, old, value));
        }
    }

    @Override
    public void removeAttribute(String name) {
        checkValid();
        Object old = attributes.remove(Objects.requireNonNull(name, "name"));
        if (old != null) {
            inTurn(() -> host.events().removed(this, name, old));
        }
    }

    @Override
    public Iterator<?> getSessions() {
        checkValid();
        return ProtocolSessions.all(this);
    }

    @Override
    public Iterator<?> getSessions(String protocol) {
        checkValid();
        return ProtocolSessions.of(this, Objects.requireNonNull(protocol, "protocol"));
    }

    @Override
    public @Nullable SipSession getSipSession(String id) {
        checkValid();
        return ProtocolSessions.sip(this, Objects.requireNonNull(id, "id"));
    }

    @Override
    public @Nullable Object getSession(String id, Protocol protocol) {
        checkValid();
        Objects.requireNonNull(id, "id");
        return switch (Objects.requireNonNull(protocol, "protocol")) {
            case SIP -> ProtocolSessions.sip(this, id);
            case HTTP -> http.find(id);
        };
    }

    @Override
    public @Nullable ServletTimer getTimer(String id) {
        checkValid();
        return ProtocolSessions.timer(this, id);
    }

    @Override
    public Collection<ServletTimer> getTimers() {
        enterNow();
        try {
            checkValid();
            return List.copyOf(timers);
        } finally {
            exit();
        }
    }

    @Override
    @Deprecated
    public void encodeURI(URI uri) {
        checkValid();
        host.tokens().encode(Objects.requireNonNull(uri, "uri"), id, home, expiry.partition());
    }

    @Override
    public URL encodeURL(URL url) {
        checkValid();
        String place = SessionTokens.place(home, expiry.partition());
        return EncodedUrl.with(Objects.requireNonNull(url, "url"), host.tokens().token(id), place);
    }

    @Override
    public String toString() {
        return application.name() + " application session " + id;
    }

    private void writeObject(ObjectOutputStream out) throws NotSerializableException {
        throw ByReference.refused(this);
    }
}
