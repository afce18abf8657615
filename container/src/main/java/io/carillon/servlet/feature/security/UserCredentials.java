package io.carillon.servlet.feature.security;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.servlet.sip.AuthInfo;
import org.jspecify.annotations.Nullable;

/**
 * The user names and passwords that an application has for the realms that may ask. Not thread
 * safe; serializable, so that an application may keep it as an attribute.
 */
public final class UserCredentials implements AuthInfo, Serializable {
    private static final long serialVersionUID = 1;

    /** One of them. */
    record Login(int status, String realm, String user, String password) implements Serializable {
        @Override
        public String toString() {
            return user + "@" + realm; // no password in logs
        }
    }

    private final List<Login> logins = new ArrayList<>();

    /** The later one of the same status and realm counts. */
    @Override
    public void addAuthInfo(int statusCode, String realm, String username, String password) {
        if (statusCode != 401 && statusCode != 407) {
            throw new IllegalArgumentException("a challenge is 401 or 407, not " + statusCode);
        }
        Objects.requireNonNull(realm, "realm");
        Objects.requireNonNull(username, "username");
        Objects.requireNonNull(password, "password");
        logins.removeIf(one -> one.status() == statusCode && one.realm().equals(realm));
        logins.add(new Login(statusCode, realm, username, password));
    }

    @Nullable Login find(int status, String realm) {
        for (Login one : logins) {
            if (one.status() == status && one.realm().equals(realm)) {
                return one;
            }
        }
        return null;
    }
}
