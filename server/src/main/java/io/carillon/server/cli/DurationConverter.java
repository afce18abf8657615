package io.carillon.server.cli;

import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A duration as it is typed: {@code 90s}, {@code 10m}, {@code 10min}, {@code 2h}. */
final class DurationConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
        int digits = 0;
        while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
            digits++;
        }
        if (digits == 0 || digits > 9) {
            throw wrong(text);
        }
        long number = Long.parseLong(text.substring(0, digits));
        return switch (text.substring(digits).strip().toLowerCase(Locale.ROOT)) {
            case "s" -> Duration.ofSeconds(number);
            case "m", "min" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> throw wrong(text);
        };
    }

    private static TypeConversionException wrong(String text) {
        return new TypeConversionException("'" + text + "' is no time; write 90s, 10m or 2h");
    }
}
