package io.carillon.server.config;

import java.time.Duration;

/**
 * How the server stops: new calls get 503, then calls and transactions may end, then the rest is
 * ended.
 *
 * @param calls waited for calls
 * @param transactions waited for transactions
 * @param end what becomes of calls that are left
 */
public record DrainSettings(
        @Setting(
                        reload = true,
                        value = "How long to wait for calls to end by themselves.",
                        standard = "0 s",
                        min = "0 s",
                        max = "48 h",
                        common = true)
                Duration calls,
        @Setting(
                        reload = true,
                        value = "How long to wait for open transactions.",
                        standard = "5 s",
                        min = "0 s",
                        max = "10 min")
                Duration transactions,
        @Setting(
                        reload = true,
                        value =
                                "What becomes of calls that are left: BYE to both ends, or nothing (another node has them).",
                        standard = "bye",
                        common = true)
                EndCalls end) {

    /** What becomes of calls that are left. */
    public enum EndCalls {
        /** BYE to the legs of user agents and B2BUAs. */
        BYE,
        /** They stay as they are at their ends. */
        LEAVE
    }
}
