package io.carillon.servlet.app;

import java.util.Map;

/**
 * What an application says of itself to people: descriptions and icons, from sip.xml or the
 * annotations. It changes nothing; {@code check} shows it. Immutable; a text that is not given is
 * empty.
 *
 * @param smallIcon path of a picture in the archive
 * @param largeIcon path of a picture in the archive
 * @param servlets descriptions by the servlet's name
 * @param listeners descriptions by the listener's class name
 */
public record Presentation(
        String description,
        String smallIcon,
        String largeIcon,
        Map<String, String> servlets,
        Map<String, String> listeners) {
    /** Nothing is said. */
    public static final Presentation NONE = new Presentation("", "", "", Map.of(), Map.of());

    public Presentation {
        servlets = Map.copyOf(servlets);
        listeners = Map.copyOf(listeners);
    }
}
