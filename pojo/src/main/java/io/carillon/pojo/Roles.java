package io.carillon.pojo;

import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;

/** Gives SIP sessions the roles that {@link Role} asks for. Stateless; any thread. */
public final class Roles {
    private static final String ATTRIBUTE = "io.carillon.pojo.role";

    private Roles() {}

    /** From now on handlers of this role get the session's messages; another role ends. */
    public static void give(SipSession session, String role) {
        session.setAttribute(ATTRIBUTE, role);
    }

    /** The role of a session, or null. */
    public static @Nullable String of(@Nullable SipSession session) {
        return session != null && session.isValid()
                ? (String) session.getAttribute(ATTRIBUTE)
                : null;
    }
}
