package io.carillon.servlet.feature.security;

import io.carillon.servlet.kernel.AnsweredChallenges;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.port.Caller;
import io.carillon.sip.auth.DigestClient;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The challenges that a session's application answered, so that later requests carry credentials at
 * once; and the section of a session's bytes that holds them and its caller. Owner: the turn.
 */
public final class SessionSecurity implements AnsweredChallenges {
    private static final int VERSION = 1;
    private static final int MAX = 1000;

    /** Of one protection space. {@code proxy}: asked for by 407. */
    record Space(boolean proxy, String realm) {}

    private final Map<Space, DigestClient> answered = new LinkedHashMap<>(2);

    /** That of the session; made when it is not there. */
    static SessionSecurity of(ServletSession session) {
        if (session.challenges() instanceof SessionSecurity known) {
            return known;
        }
        SessionSecurity made = new SessionSecurity();
        session.challenges(made);
        return made;
    }

    @Override
    public boolean isEmpty() {
        return answered.isEmpty();
    }

    @Override
    public void skip(int counts) {
        answered.values().forEach(client -> client.skip(counts));
    }

    Map<Space, DigestClient> answered() {
        return answered;
    }

    /** Writes the session's caller and its answered challenges. */
    public static void write(ServletSession session, StateWriter out) {
        int section = out.begin(VERSION);
        Caller known = session.path().caller();
        out.putString(known == null ? null : known.name());
        Set<String> roles = known == null ? Set.of() : known.roles();
        out.putVarint(roles.size());
        roles.forEach(out::putString);
        Map<Space, DigestClient> answered =
                session.challenges() instanceof SessionSecurity own ? own.answered : Map.of();
        out.putVarint(answered.size());
        answered.forEach((space, client) -> {
            out.putBoolean(space.proxy());
            client.write(out);
        });
        out.end(section);
    }

    /** Reads what {@link #write} wrote, into the session. */
    public static void read(ServletSession session, StateReader in) {
        in.begin();
        @Nullable String name = in.getString();
        Set<String> roles = new HashSet<>();
        for (int i = in.getCount(MAX); i > 0; i--) {
            roles.add(in.needString());
        }
        if (name != null) {
            session.path().caller(new Caller(name, roles));
        }
        for (int i = in.getCount(MAX); i > 0; i--) {
            boolean proxy = in.getBoolean();
            DigestClient client = DigestClient.read(in);
            of(session).answered.put(new Space(proxy, client.realm()), client);
        }
        in.end();
    }
}
