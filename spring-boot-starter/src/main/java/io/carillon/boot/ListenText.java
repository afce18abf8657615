package io.carillon.boot;

import io.carillon.net.listen.ListeningPoint;
import io.carillon.sip.hop.Transport;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a value of {@code carillon.listen}. Stateless. */
final class ListenText {
    private static final Pattern FORM =
            Pattern.compile("(?i)(udp|tcp|tls|ws|wss):(\\[[0-9a-f:.]+]|[^\\s:\\[\\]]+):(\\d{1,5})");

    private ListenText() {}

    /**
     * @throws IllegalArgumentException in a sentence, where the text is not of that form
     */
    static ListeningPoint parse(String text, @Nullable String externalHost) {
        Matcher matcher = FORM.matcher(text.strip());
        int port = matcher.matches() ? Integer.parseInt(matcher.group(3)) : -1;
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException(
                    "carillon.listen: '"
                            + text
                            + "' has to be udp:HOST:PORT or tcp:HOST:PORT (or with tls, ws, wss), with"
                            + " brackets around an IPv6 address");
        }
        Transport transport = Objects.requireNonNull(Transport.of(matcher.group(1)));
        String host = matcher.group(2).replace("[", "").replace("]", "");
        return new ListeningPoint(transport, host, port, externalHost, 0);
    }
}
