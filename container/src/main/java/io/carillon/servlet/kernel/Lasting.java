package io.carillon.servlet.kernel;

import java.util.List;

/** What of an application session outlives the request at work. Static; the turn is held. */
public final class Lasting {
    private Lasting() {}

    /**
     * Is there more in it than requests that begin no dialog: a dialog, an early one too, a timer,
     * a page, or a key by which later requests find it?
     */
    public static boolean in(ApplicationSession session) {
        List<ServletSession> all = session.sessions();
        for (int i = 0; i < all.size(); i++) {
            SessionDialog dialog = all.get(i).dialog();
            if (dialog.own != null || dialog.proxied != null) {
                return true;
            }
        }
        return session.key() != null || !session.http().isEmpty() || !session.getTimers().isEmpty();
    }
}
