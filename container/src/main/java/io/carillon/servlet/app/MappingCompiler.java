package io.carillon.servlet.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Makes predicates of the {@code <pattern>} elements of a descriptor: and, or, not, equal,
 * contains, exists, subdomain-of.
 */
final class MappingCompiler {
    private final String file;

    MappingCompiler(String file) {
        this.file = file;
    }

    /**
     * @param pattern the {@code <pattern>} element
     */
    MappingRule compile(XmlElement pattern) throws DeploymentException {
        return condition(only(pattern));
    }

    private XmlElement only(XmlElement parent) throws DeploymentException {
        if (parent.children.size() != 1) {
            throw fault(
                    parent,
                    "needs exactly one condition (and, or, not, equal, contains, exists, subdomain-of), has "
                            + parent.children.size());
        }
        return parent.children.getFirst();
    }

    private MappingRule condition(XmlElement element) throws DeploymentException {
        return switch (element.name) {
            case "and" -> {
                MappingRule[] all = conditions(element);
                yield request -> {
                    for (MappingRule one : all) {
                        if (!one.matches(request)) {
                            return false;
                        }
                    }
                    return true;
                };
            }
            case "or" -> {
                MappingRule[] any = conditions(element);
                yield request -> {
                    for (MappingRule one : any) {
                        if (one.matches(request)) {
                            return true;
                        }
                    }
                    return false;
                };
            }
            case "not" -> {
                MappingRule inner = condition(only(element));
                yield request -> !inner.matches(request);
            }
            case "exists" -> {
                RequestVariable variable = variable(element);
                yield request -> variable.of(request) != null;
            }
            case "equal" -> equal(element);
            case "contains" -> contains(element);
            case "subdomain-of" -> subdomainOf(element);
            default ->
                    throw fault(
                            element,
                            "is no condition; known are and, or, not, equal, contains, exists, subdomain-of");
        };
    }

    private MappingRule[] conditions(XmlElement element) throws DeploymentException {
        List<MappingRule> rules = new ArrayList<>();
        for (XmlElement child : element.children) {
            rules.add(condition(child));
        }
        if (rules.isEmpty()) {
            throw fault(element, "needs at least one condition");
        }
        return rules.toArray(new MappingRule[0]);
    }

    private MappingRule equal(XmlElement element) throws DeploymentException {
        RequestVariable variable = variable(element);
        String value = value(element);
        if (ignoreCase(element)) {
            return request -> value.equalsIgnoreCase(variable.of(request));
        }
        return request -> value.equals(variable.of(request));
    }

    private MappingRule contains(XmlElement element) throws DeploymentException {
        RequestVariable variable = variable(element);
        boolean ignoreCase = ignoreCase(element);
        String value = ignoreCase ? value(element).toLowerCase(Locale.ROOT) : value(element);
        return request -> {
            String found = variable.of(request);
            return found != null
                    && (ignoreCase ? found.toLowerCase(Locale.ROOT) : found).contains(value);
        };
    }

    /**
     * Of a host name: the domain itself, or one below it. Of a telephone number: a number that
     * begins so.
     */
    private MappingRule subdomainOf(XmlElement element) throws DeploymentException {
        RequestVariable variable = variable(element);
        String value = value(element);
        if (value.isEmpty()) {
            throw fault(element, "needs a domain in <value>");
        }
        boolean telephone = text(element, "var").endsWith(".tel");
        return request -> {
            String found = variable.of(request);
            return found != null && (telephone ? found.startsWith(value) : below(found, value));
        };
    }

    private static boolean below(String host, String domain) {
        int at = host.length() - domain.length();
        return at >= 0
                && host.regionMatches(true, at, domain, 0, domain.length())
                && (at == 0 || host.charAt(at - 1) == '.' || domain.charAt(0) == '.');
    }

    private RequestVariable variable(XmlElement element) throws DeploymentException {
        String name = text(element, "var");
        RequestVariable variable = RequestVariable.parse(name);
        if (variable == null) {
            XmlElement at = element.child("var");
            throw fault(
                    at == null ? element : at,
                    "'" + name + "' is no variable; known are " + RequestVariable.KNOWN);
        }
        return variable;
    }

    private String value(XmlElement element) throws DeploymentException {
        return text(element, "value");
    }

    private String text(XmlElement element, String childName) throws DeploymentException {
        XmlElement child = element.child(childName);
        if (child == null) {
            throw fault(element, "needs <" + childName + ">");
        }
        return child.text();
    }

    /**
     * The specification has the attribute at {@code <var>}; descriptors with it one level up are
     * meant the same.
     */
    private static boolean ignoreCase(XmlElement element) {
        XmlElement variable = element.child("var");
        String attribute = variable == null ? null : variable.attributes.get("ignore-case");
        return isTrue(attribute) || isTrue(element.attributes.get("ignore-case"));
    }

    private static boolean isTrue(@Nullable String attribute) {
        return attribute != null
                && (attribute.strip().equalsIgnoreCase("true")
                        || attribute.strip().equalsIgnoreCase("yes"));
    }

    private DeploymentException fault(XmlElement element, String rule) {
        return new DeploymentException(file, element.line, "<" + element.name + ">", rule);
    }
}
