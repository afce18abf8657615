package io.carillon.servlet.kernel;

import java.util.List;
import java.util.Set;
import javax.servlet.sip.ServletTimer;

/**
 * The end of an application session that another node goes on with, or that could not be read:
 * nobody is told, nothing is sent. With the turn held. Transactions that are open die by
 * themselves, as what they send and are sent finds no session.
 */
public final class SilentEnd {
    private SilentEnd() {}

    /** Its timers, its dialogs and its place are gone. */
    public static void drop(ApplicationSession session) {
        if (!session.valid) {
            return;
        }
        session.host().store().dropped(session);
        session.host().hooks().dropped(session);
        for (ServletTimer timer : session.getTimers()) {
            TimerChild child = (TimerChild) timer;
            session.remove(child);
            child.sessionEnded();
        }
        for (ServletSession child : List.copyOf(session.sessions())) {
            drop(child);
        }
        session.http().keepOnly(Set.of());
        session.valid = false;
        session.onHome(session.expiry::cancel);
        giveBack(session);
    }

    /** Its place, where it has one. */
    static void giveBack(ApplicationSession session) {
        if (session.host().tables().remove(session)) {
            session.host().tables().shares().giveBack(session.expiry.share);
            session.application().holds().giveBack();
        }
    }

    private static void drop(ServletSession child) {
        RefreshTimer refresh = child.sessionTimer();
        if (refresh != null) {
            refresh.cancel();
            child.extras().timer = null;
        }
        SessionAccount account = child.account;
        if (account != null) {
            account.close(child.host().keptAddresses(), child.countedAt());
        }
        child.valid = false;
        DialogLife.forget(child);
        child.link(null);
        child.underWay().release();
        child.parent().remove(child);
    }
}
