package io.carillon.servlet.feature.refresh;

import io.carillon.sip.header.SessionExpires;
import io.carillon.sip.header.SessionExpires.Refresher;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an application's session timers are to be like. Immutable.
 *
 * @param mode how much the container does
 * @param intervalSeconds the interval that is asked for, and the longest that is accepted
 * @param minSeconds the shortest that is accepted; 90 at least
 * @param refresher who refreshes, seen from the request, where the peer leaves it to us; NONE: the
 *     peer when it can
 * @param method what refreshes of ours are sent as
 * @param visible does the application get the UPDATEs that only refresh?
 */
public record SessionTimerPolicy(
        Mode mode,
        int intervalSeconds,
        int minSeconds,
        Refresher refresher,
        Method method,
        boolean visible) {

    /** How much the container does of RFC 4028 for an application. */
    public enum Mode {
        /** Nothing: the headers are the application's. */
        OFF,
        /** Timers that a peer asks for. */
        ANSWER,
        /** These, and asks for them in requests and answers of user agents here. */
        OFFER,
        /** These, and proxies here ask for them too. */
        INSERT
    }

    /** What refreshes are sent as. */
    public enum Method {
        /** UPDATE to a peer that allows it, else INVITE. */
        AUTO,
        /** Always INVITE with the session description that was sent last. */
        INVITE
    }

    /** Prefix of the context parameters that change it for one application. */
    public static final String PARAMETER = "io.carillon.session-timers";

    /** Timers that peers ask for, up to half an hour. */
    public static final SessionTimerPolicy DEFAULT =
            new SessionTimerPolicy(
                    Mode.ANSWER,
                    1800,
                    SessionExpires.LEAST_SECONDS,
                    Refresher.NONE,
                    Method.AUTO,
                    false);

    private static final int MOST_SECONDS = 86_400;

    public SessionTimerPolicy {
        if (minSeconds < SessionExpires.LEAST_SECONDS || minSeconds > MOST_SECONDS) {
            throw new IllegalArgumentException(
                    "the least session interval is 90 to 86400 s (RFC 4028), not "
                            + minSeconds
                            + " s");
        }
        if (intervalSeconds < minSeconds || intervalSeconds > MOST_SECONDS) {
            throw new IllegalArgumentException(
                    "the session interval is "
                            + minSeconds
                            + " to 86400 s, the least interval being "
                            + minSeconds
                            + " s, not "
                            + intervalSeconds
                            + " s");
        }
    }

    public SessionTimerPolicy withMode(Mode other) {
        return new SessionTimerPolicy(
                other, intervalSeconds, minSeconds, refresher, method, visible);
    }

    public SessionTimerPolicy withSeconds(int interval, int least) {
        return new SessionTimerPolicy(mode, interval, least, refresher, method, visible);
    }

    public SessionTimerPolicy withRefresher(Refresher who) {
        return new SessionTimerPolicy(mode, intervalSeconds, minSeconds, who, method, visible);
    }

    public SessionTimerPolicy withMethod(Method how) {
        return new SessionTimerPolicy(mode, intervalSeconds, minSeconds, refresher, how, visible);
    }

    /**
     * This with what an application's context parameters say: {@code io.carillon.session-timers}
     * (off, answer, offer, insert), {@code ....interval} and {@code ....min} (seconds), {@code
     * ....refresher} (auto, uac, uas), {@code ....method} (auto, invite), {@code ....visible}.
     *
     * @throws IllegalArgumentException naming the parameter and what it may be
     */
    public SessionTimerPolicy with(Map<String, String> contextParams) {
        String said = contextParams.get(PARAMETER);
        Mode ownMode = said == null ? mode : word(Mode.class, PARAMETER, said);
        int own = number(contextParams, "interval", intervalSeconds);
        int least = number(contextParams, "min", minSeconds);
        String who = contextParams.get(PARAMETER + ".refresher");
        Refresher ownRefresher =
                who == null
                        ? refresher
                        : who.equals("auto")
                                ? Refresher.NONE
                                : word(Refresher.class, PARAMETER + ".refresher", who);
        String how = contextParams.get(PARAMETER + ".method");
        Method ownMethod = how == null ? method : word(Method.class, PARAMETER + ".method", how);
        String seen = contextParams.get(PARAMETER + ".visible");
        boolean ownVisible = seen == null ? visible : flag(seen);
        return new SessionTimerPolicy(ownMode, own, least, ownRefresher, ownMethod, ownVisible);
    }

    private static boolean flag(String value) {
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default ->
                    throw new IllegalArgumentException(
                            PARAMETER + ".visible is true or false, not '" + value + "'");
        };
    }

    private static int number(Map<String, String> params, String name, int otherwise) {
        String value = params.get(PARAMETER + '.' + name);
        if (value == null) {
            return otherwise;
        }
        try {
            return Integer.parseInt(value.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    PARAMETER + '.' + name + " is a number of seconds, not '" + value + "'", e);
        }
    }

    private static <E extends Enum<E>> E word(Class<E> type, String name, String value) {
        @Nullable E found = null;
        StringBuilder all = new StringBuilder();
        for (E constant : type.getEnumConstants()) {
            String word = constant.name().toLowerCase(Locale.ROOT);
            all.append(all.isEmpty() ? "" : ", ").append(word);
            if (word.equals(value.strip())) {
                found = constant;
            }
        }
        if (found == null) {
            throw new IllegalArgumentException(
                    name + " is one of " + all + ", not '" + value + "'");
        }
        return found;
    }
}
