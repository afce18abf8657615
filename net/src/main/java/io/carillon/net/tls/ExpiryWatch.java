package io.carillon.net.tls;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Says 30, 7 and 1 days before that a certificate expires, each once, and every day when it has.
 * Owner: the housekeeping thread.
 */
final class ExpiryWatch {

    private static final int[] DAYS = {30, 7, 1};
    private static final int EXPIRED = DAYS.length + 1;
    private static final Duration AGAIN = Duration.ofDays(1);

    private record Told(int level, Instant at) {}

    private final Map<CertificateStatus, Told> told = new HashMap<>();

    /** What has to be said now. */
    List<String> look(List<CertificateStatus> certificates, Instant now) {
        List<String> sentences = new ArrayList<>();
        told.keySet().retainAll(certificates);
        for (CertificateStatus one : certificates) {
            int level = level(one, now);
            Told before = told.getOrDefault(one, new Told(0, now));
            boolean again = level == EXPIRED && !now.isBefore(before.at().plus(AGAIN));
            if (level > before.level() || again) {
                told.put(one, new Told(level, now));
                sentences.add(sentence(one, level, now));
            }
        }
        return sentences;
    }

    /** 0: more than 30 days left; 1, 2, 3: at most 30, 7, 1; 4: expired. */
    static int level(CertificateStatus one, Instant now) {
        Duration left = one.left(now);
        if (left.isNegative() || left.isZero()) {
            return EXPIRED;
        }
        int level = 0;
        for (int days : DAYS) {
            if (left.compareTo(Duration.ofDays(days)) <= 0) {
                level++;
            }
        }
        return level;
    }

    private static String sentence(CertificateStatus one, int level, Instant now) {
        String which = "The certificate for " + String.join(", ", one.names());
        String where = " (" + one.file() + ")";
        if (level == EXPIRED) {
            return which
                    + where
                    + " is expired since "
                    + one.notAfter()
                    + ": peers refuse new connections";
        }
        long hours = one.left(now).toHours();
        return which
                + where
                + " expires in "
                + (hours >= 48 ? hours / 24 + " days" : hours + " hours")
                + ", on "
                + one.notAfter();
    }
}
