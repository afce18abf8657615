package io.carillon.servlet.route;

import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.SipServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Why the default router chooses what it chooses: the entries of its file that it looks at, in
 * order. For people; nothing of it runs for a call. Any thread.
 */
final class RouterTrace {
    private final List<DefaultApplicationRouter.Considered> seen = new ArrayList<>();
    private final DefaultApplicationRouter router;
    private final SipServletRequest request;
    private final @Nullable String sender;

    RouterTrace(
            DefaultApplicationRouter router, SipServletRequest request, @Nullable String sender) {
        this.router = router;
        this.request = request;
        this.sender = sender;
    }

    List<DefaultApplicationRouter.Considered> seen() {
        return seen;
    }

    /** As the router searches; true when one was taken. */
    boolean search(String key, DarEntry[] entries, int from) {
        for (int i = from; i < entries.length; i++) {
            String reason = why(entries[i]);
            seen.add(
                    new DefaultApplicationRouter.Considered(
                            entries[i].line(),
                            key,
                            entries[i].application(),
                            reason == null,
                            reason == null ? holds(entries[i]) : reason));
            if (reason == null) {
                return true;
            }
        }
        return false;
    }

    private static String holds(DarEntry entry) {
        return entry.condition() == DarCondition.NONE ? "no condition" : "its conditions hold";
    }

    /** Null when it is taken. */
    private @Nullable String why(DarEntry entry) {
        String name = entry.application();
        if (!name.isEmpty() && !router.isDeployed(name)) {
            return "is not deployed";
        }
        if (!name.isEmpty() && name.equals(sender)) {
            return "has just sent the request";
        }
        return entry.condition().fault(request);
    }
}
