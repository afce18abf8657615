package io.carillon.lab.load;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The workloads, by the names of the command line. */
enum Workload {
    /** Basic B2BUA: 10 s of ringing, 30 s of talk, at our own callee. */
    B2BUA("b2bua", 10, 30),
    /** Proxy-200: answered at once by our own callee. */
    PROXY200("proxy200", 0, 0),
    /** The server answers. */
    UAS("uas", 0, 0),
    /** Registrations with digest. */
    REGISTER("register", 0, 0),
    /** Web voice mail: the application calls phone and voice mail server, both of them ours. */
    WEB_VOICE_MAIL("web-voice-mail", 0, 60);

    private final String text;
    private final int ringSeconds;
    private final int holdSeconds;

    Workload(String text, int ringSeconds, int holdSeconds) {
        this.text = text;
        this.ringSeconds = ringSeconds;
        this.holdSeconds = holdSeconds;
    }

    String text() {
        return text;
    }

    int ringSeconds() {
        return ringSeconds;
    }

    int holdSeconds() {
        return holdSeconds;
    }

    /** Whether the calls come back to our callee's side. */
    boolean callee() {
        return this == B2BUA || this == PROXY200;
    }

    /** The user part of the Request-URI when none is given. */
    String user() {
        return this == UAS ? "uas" : "callee";
    }

    static @Nullable Workload of(String text) {
        for (Workload workload : values()) {
            if (workload.text.equals(text.toLowerCase(Locale.ROOT))) {
                return workload;
            }
        }
        return null;
    }

    /** All names, for people. */
    static String names() {
        return Arrays.stream(values()).map(Workload::text).collect(Collectors.joining(", "));
    }
}
