package io.carillon.server.config;

import io.carillon.servlet.feature.refresh.SessionTimerPolicy;
import io.carillon.servlet.feature.refresh.SessionTimerPolicy.Method;
import io.carillon.servlet.feature.refresh.SessionTimerPolicy.Mode;
import io.carillon.sip.header.SessionExpires.Refresher;
import java.time.Duration;

/**
 * Session timers (RFC 4028): how long a call lives that nobody refreshes.
 *
 * @param mode how much the server does by itself
 * @param interval asked for, and the longest accepted
 * @param min the shortest accepted
 * @param refresher who refreshes
 * @param method what refreshes are sent as
 */
public record SessionTimerSettings(
        @Setting(
                        reload = true,
                        value =
                                "off: the headers are the applications'. answer: timers that a peer asks for."
                                        + " offer: calls of applications ask for them too. insert: proxies as well.",
                        standard = "answer",
                        common = true)
                Mode mode,
        @Setting(
                        reload = true,
                        value = "The interval that is asked for, and the longest that is accepted.",
                        standard = "30 min",
                        min = "90 s",
                        max = "24 h")
                Duration interval,
        @Setting(
                        reload = true,
                        value = "The shortest interval that is accepted; less gets 422.",
                        standard = "90 s",
                        min = "90 s",
                        max = "24 h")
                Duration min,
        @Setting(
                        reload = true,
                        value =
                                "Who refreshes where the peer leaves it open, seen from the request: uac or uas;"
                                        + " none: the peer when it can.",
                        standard = "none")
                Refresher refresher,
        @Setting(
                        reload = true,
                        value =
                                "auto: UPDATE to a peer that allows it, else INVITE. invite: always INVITE.",
                        standard = "auto")
                Method method) {
    public SessionTimerSettings {
        if (interval.compareTo(min) < 0) {
            throw new IllegalArgumentException("interval must not be less than min");
        }
    }

    /** What the container is told. */
    public SessionTimerPolicy policy() {
        return new SessionTimerPolicy(
                mode,
                Math.toIntExact(interval.toSeconds()),
                Math.toIntExact(min.toSeconds()),
                refresher,
                method,
                false);
    }
}
