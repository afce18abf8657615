package io.carillon.servlet.app;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The elements of sip.xml and web.xml that give names to values and resources: {@code env-entry},
 * {@code resource-ref}, {@code resource-env-ref}. Both descriptors fill one environment. One
 * thread.
 */
final class NamesXml {
    private static final int MAX_BYTES = 4 << 20;

    private final Map<String, NamedResource> byName = new LinkedHashMap<>();
    private final List<String> warnings;

    NamesXml(List<String> warnings) {
        this.warnings = warnings;
    }

    /** What was read so far. */
    List<NamedResource> all() {
        return List.copyOf(byName.values());
    }

    /** Reads {@code WEB-INF/web.xml} for its names alone; the rest of it is the HTTP half's. */
    void webXml(String archive, Path root) throws DeploymentException {
        Path path = root.resolve("WEB-INF/web.xml");
        if (!Files.isRegularFile(path)) {
            return;
        }
        String file = archive + "!/WEB-INF/web.xml";
        try (InputStream in = new BufferedInputStream(Files.newInputStream(path))) {
            if (Files.size(path) > MAX_BYTES) {
                throw new DeploymentException(file, "is larger than " + MAX_BYTES + " bytes");
            }
            for (XmlElement element : XmlElement.read(file, in).root().children) {
                read(file, element);
            }
        } catch (IOException e) {
            throw new DeploymentException(file, 0, null, "cannot be read: " + e.getMessage(), e);
        }
    }

    /** Whether the element is one of ours; then it is read. */
    boolean read(String file, XmlElement element) throws DeploymentException {
        NamedResource found =
                switch (element.name) {
                    case "env-entry" -> entry(file, element);
                    case "resource-ref" -> reference(file, element, "res-ref-name", "res-type");
                    case "resource-env-ref" ->
                            reference(
                                    file,
                                    element,
                                    "resource-env-ref-name",
                                    "resource-env-ref-type");
                    default -> null;
                };
        if (found == null) {
            return false;
        }
        NamedResource before = byName.putIfAbsent(found.name(), found);
        if (before != null
                && (!before.type().equals(found.type())
                        || !String.valueOf(before.value()).equals(String.valueOf(found.value())))) {
            warnings.add(
                    found.declared()
                            + ": '"
                            + found.name()
                            + "' is passed over, "
                            + before.declared()
                            + " says something else");
        }
        return true;
    }

    private static NamedResource entry(String file, XmlElement element) throws DeploymentException {
        String name = needed(file, element, "env-entry-name");
        String type = optional(element, "env-entry-type");
        String text = optional(element, "env-entry-value");
        String known = type == null ? String.class.getName() : type;
        return new NamedResource(
                name,
                known,
                text == null ? null : value(file, element, known, text),
                otherName(element),
                targets(file, element),
                declared(file, element));
    }

    private static NamedResource reference(
            String file, XmlElement element, String nameElement, String typeElement)
            throws DeploymentException {
        String type = optional(element, typeElement);
        return new NamedResource(
                needed(file, element, nameElement),
                type == null ? Object.class.getName() : type,
                null,
                otherName(element),
                targets(file, element),
                declared(file, element));
    }

    private static Object value(String file, XmlElement element, String type, String text)
            throws DeploymentException {
        try {
            return switch (type) {
                case "java.lang.String" -> text;
                case "java.lang.Boolean" -> Boolean.valueOf(text);
                case "java.lang.Byte" -> Byte.valueOf(text);
                case "java.lang.Short" -> Short.valueOf(text);
                case "java.lang.Integer" -> Integer.valueOf(text);
                case "java.lang.Long" -> Long.valueOf(text);
                case "java.lang.Float" -> Float.valueOf(text);
                case "java.lang.Double" -> Double.valueOf(text);
                case "java.lang.Character" -> {
                    if (text.length() != 1) {
                        throw new NumberFormatException();
                    }
                    yield text.charAt(0);
                }
                default ->
                        throw fault(
                                file,
                                element,
                                "env-entry-type must be String, Character, Boolean or a number of"
                                        + " java.lang, not '"
                                        + type
                                        + "'");
            };
        } catch (NumberFormatException e) {
            throw fault(file, element, "env-entry-value '" + text + "' is no " + type);
        }
    }

    private static @Nullable String otherName(XmlElement element) {
        String lookup = optional(element, "lookup-name");
        return lookup != null ? lookup : optional(element, "mapped-name");
    }

    private static List<NamedResource.Target> targets(String file, XmlElement element)
            throws DeploymentException {
        List<NamedResource.Target> targets = new ArrayList<>();
        for (XmlElement child : element.children) {
            if (child.name.equals("injection-target")) {
                targets.add(
                        new NamedResource.Target(
                                needed(file, child, "injection-target-class"),
                                needed(file, child, "injection-target-name")));
            }
        }
        return targets;
    }

    private static @Nullable String optional(XmlElement element, String childName) {
        XmlElement child = element.child(childName);
        return child == null || child.text().isEmpty() ? null : child.text();
    }

    private static String needed(String file, XmlElement element, String childName)
            throws DeploymentException {
        String text = optional(element, childName);
        if (text == null) {
            throw fault(file, element, "needs <" + childName + ">");
        }
        return text;
    }

    private static String declared(String file, XmlElement element) {
        return file + ":" + element.line + ": <" + element.name + ">";
    }

    private static DeploymentException fault(String file, XmlElement element, String rule) {
        return new DeploymentException(file, element.line, "<" + element.name + ">", rule);
    }
}
