package io.carillon.servlet.kernel;

import io.carillon.servlet.header.Quality;
import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.HeaderName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Headers of languages (RFC 3261 20.3 and 20.13, RFC 2616 14.4) to locales and back. Stateless;
 * what writes a message needs its turn.
 */
final class Languages {
    private static final int FULL = 1000;

    private Languages() {}

    /** The header names that language alone; null removes it. */
    static void set(MessageHeaders message, HeaderName header, @Nullable Locale locale) {
        message.checkWritable();
        if (locale == null) {
            message.drop(header);
        } else {
            message.put(header, locale.toLanguageTag());
        }
    }

    /** The locales of the ranges, the preferred first; those with q=0 and the star left out. */
    static List<Locale> locales(List<String> ranges) {
        List<Locale> locales = new ArrayList<>(ranges.size());
        List<Integer> qualities = new ArrayList<>(ranges.size());
        for (String range : ranges) {
            int quality = quality(range);
            String tag = tag(range);
            if (quality == 0 || tag.isEmpty() || tag.equals("*")) {
                continue;
            }
            // Equal q: the order of the header decides, so behind all that are not worse.
            int at = 0;
            while (at < locales.size() && qualities.get(at) >= quality) {
                at++;
            }
            locales.add(at, Locale.forLanguageTag(tag));
            qualities.add(at, quality);
        }
        return locales;
    }

    /**
     * The range for a locale that is less wanted than every one in {@code ranges}. When q can go no
     * lower than a thousandth, the place at the end says it.
     */
    static String lessThan(List<String> ranges, Locale locale) {
        if (ranges.isEmpty()) {
            return locale.toLanguageTag();
        }
        int lowest = FULL;
        for (String range : ranges) {
            int quality = quality(range);
            if (quality > 0 && quality < lowest) {
                lowest = quality;
            }
        }
        int next = lowest > 100 ? lowest - 100 : Math.max(lowest / 2, 1);
        return locale.toLanguageTag() + ";q=" + Quality.print(next);
    }

    private static String tag(String range) {
        int end = range.indexOf(';');
        return (end < 0 ? range : range.substring(0, end)).strip();
    }

    /** RFC 2616 14.4: "The quality value defaults to q=1". A malformed one counts as none given. */
    private static int quality(String range) {
        int from = range.indexOf(';');
        while (from >= 0) {
            int end = range.indexOf(';', from + 1);
            String parameter = range.substring(from + 1, end < 0 ? range.length() : end).strip();
            int equal = parameter.indexOf('=');
            if (equal > 0 && Ascii.equalsIgnoreCase(parameter.substring(0, equal).strip(), "q")) {
                int quality = Quality.parse(parameter.substring(equal + 1).strip());
                return quality < 0 ? FULL : quality;
            }
            from = end;
        }
        return FULL;
    }
}
