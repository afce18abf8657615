package io.carillon.servlet.security;

import io.carillon.sip.auth.DigestClient;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a session remembers: who its caller is, and the challenges that its application answered, so
 * that later requests carry credentials at once. Owner: the turn.
 */
public final class SessionSecurity {
    private static final int VERSION = 1;
    private static final int MAX = 1000;

    /** Of one protection space. {@code proxy}: asked for by 407. */
    record Space(boolean proxy, String realm) {}

    private @Nullable Caller caller;
    private final Map<Space, DigestClient> answered = new LinkedHashMap<>(2);

    public @Nullable Caller caller() {
        return caller;
    }

    void caller(@Nullable Caller known) {
        caller = known;
    }

    Map<Space, DigestClient> answered() {
        return answered;
    }

    public void write(StateWriter out) {
        int section = out.begin(VERSION);
        Caller known = caller;
        out.putString(known == null ? null : known.name());
        Set<String> roles = known == null ? Set.of() : known.roles();
        out.putVarint(roles.size());
        roles.forEach(out::putString);
        out.putVarint(answered.size());
        answered.forEach((space, client) -> {
            out.putBoolean(space.proxy());
            client.write(out);
        });
        out.end(section);
    }

    public static SessionSecurity read(StateReader in) {
        in.begin();
        SessionSecurity read = new SessionSecurity();
        String name = in.getString();
        Set<String> roles = new HashSet<>();
        for (int i = in.getCount(MAX); i > 0; i--) {
            roles.add(in.needString());
        }
        read.caller = name == null ? null : new Caller(name, roles);
        for (int i = in.getCount(MAX); i > 0; i--) {
            boolean proxy = in.getBoolean();
            DigestClient client = DigestClient.read(in);
            read.answered.put(new Space(proxy, client.realm()), client);
        }
        in.end();
        return read;
    }
}
