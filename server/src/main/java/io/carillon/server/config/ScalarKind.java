package io.carillon.server.config;

import io.carillon.sip.hop.HostPort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How a value of one Java type is written, read and checked.
 *
 * @param <T> the Java type
 * @param name what the reference page calls it
 * @param form what is allowed, in the words of an error message
 * @param parse from text; throws IllegalArgumentException or ArithmeticException on other text
 */
record ScalarKind<T>(String name, String form, Function<String, T> parse) {

    /** The kind of a Java type, or null where a type is a section or a collection. */
    static @Nullable ScalarKind<?> of(Class<?> type) {
        if (type.isEnum()) {
            return ofEnum(type);
        }
        if (type == int.class) {
            return new ScalarKind<>("number", "a whole number", ScalarKind::parseInt);
        }
        if (type == boolean.class) {
            return new ScalarKind<>("boolean", "true or false", ScalarKind::parseBoolean);
        }
        if (type == String.class) {
            return new ScalarKind<>("text", "a text", Function.identity());
        }
        if (type == Secret.class) {
            return new ScalarKind<>("text", "a text", Secret::of);
        }
        if (type == Path.class) {
            return new ScalarKind<>("file", "a file or folder", Path::of);
        }
        if (type == Duration.class) {
            return new ScalarKind<>(
                    "duration",
                    "a duration with ms, s, min or h, as in 500 ms",
                    ScalarKind::parseDuration);
        }
        if (type == ByteSize.class) {
            return new ScalarKind<>(
                    "size", "a size in bytes, KiB, MiB or GiB, as in 4 MiB", ByteSize::parse);
        }
        if (type == Share.class) {
            return new ScalarKind<>("share", Share.FORM, Share::parse);
        }
        if (type == NoApplication.class) {
            return new ScalarKind<>("number or route-on", NoApplication.FORM, NoApplication::parse);
        }
        if (type == LineLimit.class) {
            return new ScalarKind<>("off, on or number", LineLimit.FORM, LineLimit::parse);
        }
        if (type == HostPort.class) {
            return new ScalarKind<>(
                    "HOST:PORT", "HOST:PORT, as in 127.0.0.1:8080 or [::1]:8080", HostPort::parse);
        }
        if (type == CollectorAddress.class) {
            return new ScalarKind<>(
                    "udp:HOST:PORT",
                    "udp:HOST:PORT, as in udp:192.0.2.5:9060",
                    CollectorAddress::parse);
        }
        if (type == ListenAddress.class) {
            return new ScalarKind<>(
                    "udp:HOST:PORT, or tcp, tls, ws, wss",
                    ListenAddress.FORM + ", as in udp:127.0.0.1:5060",
                    ListenAddress::parse);
        }
        return null;
    }

    private static ScalarKind<Object> ofEnum(Class<?> type) {
        List<String> words = new ArrayList<>();
        for (Object constant : type.getEnumConstants()) {
            words.add(word(constant));
        }
        String form = "one of " + String.join(", ", words);
        return new ScalarKind<>(
                String.join(", ", words),
                form,
                text -> {
                    for (Object constant : type.getEnumConstants()) {
                        if (word(constant).equals(text)) {
                            return constant;
                        }
                    }
                    throw new IllegalArgumentException(form);
                });
    }

    private static String word(Object constant) {
        return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static Integer parseInt(String text) {
        return Integer.valueOf(text.replace("_", ""));
    }

    private static Boolean parseBoolean(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("true or false");
        };
    }

    /** Reads {@code 500 ms}, {@code 30s}, {@code 10 min}, {@code 2 h}; a bare 0 is allowed. */
    private static Duration parseDuration(String text) {
        int digits = 0;
        while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
            digits++;
        }
        if (digits == 0 || digits > 12) {
            throw new IllegalArgumentException("no duration");
        }
        long number = Long.parseLong(text.substring(0, digits));
        return switch (text.substring(digits).strip()) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "min" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            case "" -> {
                if (number != 0) {
                    throw new IllegalArgumentException("no unit");
                }
                yield Duration.ZERO;
            }
            default -> throw new IllegalArgumentException("no unit of time");
        };
    }
}
