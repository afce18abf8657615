package io.carillon.server.config;

import io.carillon.sip.hop.HostPort;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP side.
 *
 * @param listen where
 * @param tls whether that is https
 * @param health where probes are answered besides
 * @param token asked for by the pages of administration
 * @param applications where the applications' pages are served besides
 * @param applicationsTls whether that is https
 * @param publicAddress of the applications, as visitors know it
 * @param hosts names by which visitors know the applications' pages
 * @param maxThreads bound of the pool
 * @param maxConnections at each place to listen
 * @param maxRequest bytes of a request's body
 * @param idleTimeout of a connection
 * @param headWithin of a request, from its first byte on
 * @param minDataRate bytes in a second, of bodies and of responses
 * @param dataGrace that is left to both
 */
public record HttpSettings(
        @Setting(value = "Where to listen for HTTP.", standard = "127.0.0.1:8080", common = true)
                HostPort listen,
        @Setting(
                        value = "Whether `listen` speaks TLS (https), with `tls.certificates`.",
                        more =
                                "Where `listen` is not a loopback address and this is false, the"
                                        + " token can be read on its way. The log says so.",
                        standard = "false")
                boolean tls,
        @Setting(
                        value =
                                "A place to listen that answers probes and nothing else: /health/live, /health/ready and"
                                        + " /health/started. listen answers them too.",
                        standardText = "none besides")
                @Nullable HostPort health,
        @Setting(
                        reload = true,
                        value =
                                "Bearer token that every request to the pages of administration (/status, /metrics) has to"
                                        + " bring. Needed as soon as listen is not a loopback address.",
                        standardText = "none on loopback",
                        common = true)
                @Nullable Secret token,
        @Setting(
                        value =
                                "A second place to listen, which serves the pages of applications and nothing else: they can"
                                        + " be public while administration stays where listen is.",
                        standardText = "none; applications are served at listen",
                        common = true)
                @Nullable HostPort applications,
        @Setting(
                        value = "Whether applications speaks TLS (https), with tls.certificates.",
                        standard = "false")
                boolean applicationsTls,
        @Setting(
                        value =
                                "Host and port of the applications' pages as visitors know them, where a proxy stands in"
                                        + " front. Applications build absolute URLs of it.",
                        standardText = "where applications, else listen, listens",
                        common = true)
                @Nullable HostPort publicAddress,
        @Setting(
                        value =
                                "Further names by which visitors know the pages of applications; a"
                                        + " request to another name gets 421.",
                        more =
                                "Addresses, `localhost`, and the hosts of `listen`, `applications`"
                                        + " and `public-address` need no entry. `.example.com`"
                                        + " stands for all names below it, `*` for every name."
                                        + " Another name is refused because a page elsewhere may"
                                        + " let a name of its own lead here.",
                        standardText = "none besides",
                        common = true,
                        metrics = "http.refused_host")
                List<String> hosts,
        @Setting(
                        value =
                                "Most threads that serve pages of applications. Up to 1000"
                                        + " requests wait for one; more get 503.",
                        more =
                                "A request takes a thread while a servlet works on it; one that"
                                        + " went asynchronous takes none. A source that is not in"
                                        + " `guard.trusted` has as many at once as it leaves free."
                                        + " The pages of administration have threads of their own.",
                        standard = "50",
                        min = "8",
                        max = "10000",
                        metrics = "http.refused_no_thread")
                int maxThreads,
        @Setting(
                        value =
                                "Connections that may be open at each place to listen; when nearly"
                                        + " all are, the source that holds most loses connections.",
                        more =
                                "The source that holds most loses one connection for each that"
                                        + " comes. More connections wait until one is closed, and"
                                        + " those on which nothing moves are then closed sooner.",
                        standard = "10000",
                        min = "1",
                        max = "1000000",
                        metrics = {"http.connections_full", "http.closed_too_many"})
                int maxConnections,
        @Setting(
                        value = "The largest body of a request; more is answered 413.",
                        standard = "10 MiB",
                        min = "1 KiB",
                        max = "1 GiB")
                ByteSize maxRequest,
        @Setting(
                        value = "A connection on which nothing moved for so long is closed.",
                        standard = "30 s",
                        min = "1 s",
                        max = "1 h")
                Duration idleTimeout,
        @Setting(
                        value =
                                "A connection on which a request's head is not complete so long after its first byte is"
                                        + " closed.",
                        standard = "10 s",
                        min = "1 s",
                        max = "1 h",
                        metrics = "http.closed_slow_head")
                Duration headWithin,
        @Setting(
                        value =
                                "Bytes per second that a request's body has to come with, and that"
                                        + " a reader has to take a response with.",
                        more =
                                "The rate counts while the server waits for these bytes. It"
                                        + " answers a slower body with 408, and closes the"
                                        + " connection of a slower reader.",
                        standard = "1000",
                        min = "1",
                        max = "1000000",
                        metrics = {"http.refused_data_rate", "http.closed_data_rate"})
                int minDataRate,
        @Setting(
                        value =
                                "How long a body or a reader may fall behind min-data-rate, as one that has not begun does.",
                        standard = "5 s",
                        min = "1 s",
                        max = "1 h",
                        metrics = {"http.refused_data_rate", "http.closed_data_rate"})
                Duration dataGrace) {

    /** This, listening elsewhere. */
    public HttpSettings withListen(HostPort elsewhere) {
        return new HttpSettings(
                elsewhere,
                tls,
                health,
                token,
                applications,
                applicationsTls,
                publicAddress,
                hosts,
                maxThreads,
                maxConnections,
                maxRequest,
                idleTimeout,
                headWithin,
                minDataRate,
                dataGrace);
    }

    @Override
    public String toString() {
        return "HttpSettings " + listen; // no token in logs
    }
}
