package io.carillon.servlet.app;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a {@code WEB-INF/sip.xml} says, 1.0 or 1.1. Elements may stand in any order and namespace.
 * One thread.
 *
 * <p>Unknown elements, and known ones which Carillon has no use for, are passed over with a
 * warning; wrong ones are errors with their line.
 */
public final class SipXml {
    /** For people: it may stand anywhere. */
    private static final Set<String> PRESENTATION =
            Set.of("description", "display-name", "icon", "small-icon", "large-icon");

    /** Of Java EE: what they ask for is not there yet. */
    private static final Set<String> NOT_PROVIDED =
            Set.of(
                    "ejb-ref",
                    "ejb-local-ref",
                    "service-ref",
                    "message-destination",
                    "message-destination-ref",
                    "persistence-context-ref",
                    "persistence-unit-ref",
                    "post-construct",
                    "pre-destroy",
                    "locale-encoding-mapping-list");

    /** A servlet of the descriptor, with its line. */
    record Servlet(ServletDescription description, int line) {}

    /** A name in the descriptor, with its line. */
    record Named(String name, int line) {}

    /** A mapping of the descriptor, with its line. */
    record Mapping(ServletMapping mapping, int line) {}

    final String file;
    final List<Servlet> servlets = new ArrayList<>();
    final List<Named> listeners = new ArrayList<>();
    final List<Mapping> mappings = new ArrayList<>();
    final Map<String, String> contextParams = new LinkedHashMap<>();
    final List<String> warnings = new ArrayList<>();
    final SecurityXml security;
    final NamesXml names;
    @Nullable Named appName;
    @Nullable Named mainServlet;
    @Nullable String displayName;
    String description = "";
    String smallIcon = "";
    String largeIcon = "";
    final Map<String, String> servletDescriptions = new LinkedHashMap<>();
    final Map<String, String> listenerDescriptions = new LinkedHashMap<>();
    @Nullable Integer proxyTimeoutSeconds;
    @Nullable Integer sessionTimeoutMinutes;
    boolean distributable;
    boolean metadataComplete;
    ApplicationDescription.Version version = ApplicationDescription.Version.V1_0;

    private SipXml(String file) {
        this.file = file;
        this.security = new SecurityXml(file, warnings);
        this.names = new NamesXml(warnings);
    }

    /**
     * Reads a descriptor; the stream stays open.
     *
     * @param file what messages call it
     * @throws DeploymentException names file, line and rule
     */
    public static SipXml read(String file, InputStream in) throws DeploymentException {
        SipXml xml = new SipXml(file);
        xml.document(XmlElement.read(file, in));
        return xml;
    }

    private void document(XmlElement.Document document) throws DeploymentException {
        XmlElement root = document.root();
        if (!root.name.equals("sip-app")) {
            throw fault(root, "the root element must be <sip-app>");
        }
        metadataComplete =
                "true".equals(root.attributes.getOrDefault("metadata-complete", "").strip());
        for (XmlElement element : root.children) {
            topLevel(element);
        }
        version = version(document);
    }

    /**
     * A DOCTYPE is 1.0; the namespace, the attribute, or an element which 1.0 does not have is 1.1.
     */
    private ApplicationDescription.Version version(XmlElement.Document document)
            throws DeploymentException {
        XmlElement root = document.root();
        String attribute = root.attributes.getOrDefault("version", "").strip();
        if (attribute.equals("1.1") || (attribute.isEmpty() && isNew(document))) {
            return ApplicationDescription.Version.V1_1;
        }
        if (attribute.equals("1.0") || attribute.isEmpty()) {
            return ApplicationDescription.Version.V1_0;
        }
        throw fault(root, "version must be 1.0 or 1.1, not '" + attribute + "'");
    }

    private static boolean isNew(XmlElement.Document document) {
        if (document.doctype().contains("DTD SIP Application 1.0")) {
            return false;
        }
        String namespace = document.namespace();
        return (namespace != null && namespace.contains("sipservlet"))
                || document.root().child("app-name") != null
                || document.root().child("servlet-selection") != null
                || document.root().child("main-servlet") != null;
    }

    private void topLevel(XmlElement element) throws DeploymentException {
        switch (element.name) {
            case "app-name" -> appName = once(appName, element);
            case "display-name" -> displayName = element.text();
            case "description" -> description = element.text();
            case "icon" -> icon(element);
            case "small-icon" -> smallIcon = element.text();
            case "large-icon" -> largeIcon = element.text();
            case "distributable" -> distributable = true;
            case "context-param" -> contextParam(element);
            case "listener" -> listener(element);
            case "servlet" -> servlet(element);
            case "servlet-selection" -> {
                for (XmlElement child : element.children) {
                    selection(child);
                }
            }
            case "main-servlet", "servlet-mapping" -> selection(element);
            case "proxy-config" -> proxyConfig(element);
            case "session-config" -> sessionConfig(element);
            case "security-constraint" -> security.constraint(element);
            case "login-config" -> security.login(element);
            case "security-role" -> security.role(element);
            default -> {
                if (!names.read(file, element)) {
                    passOver(element);
                }
            }
        }
    }

    private void icon(XmlElement element) {
        smallIcon = describes(element, "small-icon");
        largeIcon = describes(element, "large-icon");
    }

    private void listener(XmlElement element) throws DeploymentException {
        String className = text(element, "listener-class");
        listeners.add(new Named(className, element.line));
        describe(listenerDescriptions, className, element);
    }

    private static void describe(Map<String, String> to, String key, XmlElement element) {
        String text = describes(element, "description");
        if (!text.isEmpty()) {
            to.put(key, text);
        }
    }

    private static String describes(XmlElement element, String childName) {
        XmlElement child = element.child(childName);
        return child == null ? "" : child.text();
    }

    private void passOver(XmlElement element) {
        if (NOT_PROVIDED.contains(element.name)) {
            warnings.add(
                    file
                            + ":"
                            + element.line
                            + ": <"
                            + element.name
                            + "> is passed over: this version of Carillon does not provide it");
        } else if (!PRESENTATION.contains(element.name)) {
            warnings.add(
                    file
                            + ":"
                            + element.line
                            + ": <"
                            + element.name
                            + "> is unknown and passed over");
        }
    }

    private Named once(@Nullable Named before, XmlElement element) throws DeploymentException {
        if (before != null) {
            throw fault(element, "stands in line " + before.line() + " already");
        }
        if (element.text().isEmpty()) {
            throw fault(element, "is empty");
        }
        return new Named(element.text(), element.line);
    }

    private void selection(XmlElement element) throws DeploymentException {
        switch (element.name) {
            case "main-servlet" -> mainServlet = once(mainServlet, element);
            case "servlet-mapping" -> {
                XmlElement pattern = element.child("pattern");
                if (pattern == null) {
                    throw fault(element, "needs <pattern>");
                }
                MappingRule rule = new MappingCompiler(file).compile(pattern);
                mappings.add(
                        new Mapping(
                                new ServletMapping(text(element, "servlet-name"), rule),
                                element.line));
            }
            default -> passOver(element);
        }
    }

    private void contextParam(XmlElement element) throws DeploymentException {
        String name = text(element, "param-name");
        String value = text(element, "param-value", true);
        if (name.equals(ExecutionMode.CONTEXT_PARAM) && ExecutionMode.of(value) == null) {
            throw fault(element, ExecutionMode.refused(value));
        }
        if (name.equals(OldHabit.CONTEXT_PARAM)) {
            try {
                OldHabit.of(value);
            } catch (IllegalArgumentException e) {
                throw fault(element, String.valueOf(e.getMessage()));
            }
        }
        if (contextParams.put(name, value) != null) {
            warnings.add(
                    file
                            + ":"
                            + element.line
                            + ": <context-param> "
                            + name
                            + " is given twice; this one counts");
        }
    }

    private void servlet(XmlElement element) throws DeploymentException {
        String name = text(element, "servlet-name");
        if (element.child("jsp-file") != null && element.child("servlet-class") == null) {
            throw fault(element, "a SIP servlet is a class: <jsp-file> cannot be served");
        }
        for (Servlet other : servlets) {
            if (other.description().name().equals(name)) {
                throw fault(
                        element,
                        "servlet '" + name + "' stands in line " + other.line() + " already");
            }
        }
        describe(servletDescriptions, name, element);
        Map<String, String> initParams = new LinkedHashMap<>();
        for (XmlElement child : element.children) {
            if (child.name.equals("init-param")) {
                initParams.put(text(child, "param-name"), text(child, "param-value", true));
            } else if (child.name.equals("run-as")) {
                security.runAs(name, child);
            } else if (child.name.equals("security-role-ref")) {
                security.roleRef(name, child);
            }
        }
        servlets.add(
                new Servlet(
                        new ServletDescription(
                                name,
                                text(element, "servlet-class"),
                                initParams,
                                loadOnStartup(element),
                                null),
                        element.line));
    }

    private int loadOnStartup(XmlElement servlet) throws DeploymentException {
        XmlElement element = servlet.child("load-on-startup");
        return element == null || element.text().isEmpty() ? -1 : number(element);
    }

    private void proxyConfig(XmlElement element) throws DeploymentException {
        for (XmlElement child : element.children) {
            if (child.name.equals("proxy-timeout")
                    || child.name.equals("sequential-search-timeout")) {
                proxyTimeoutSeconds = number(child);
                if (proxyTimeoutSeconds <= 0) {
                    throw fault(
                            child,
                            "must be a number of seconds above 0, not '" + child.text() + "'");
                }
            } else {
                passOver(child);
            }
        }
    }

    private void sessionConfig(XmlElement element) throws DeploymentException {
        for (XmlElement child : element.children) {
            if (child.name.equals("session-timeout")) {
                sessionTimeoutMinutes = number(child);
            } else {
                passOver(child);
            }
        }
    }

    private int number(XmlElement element) throws DeploymentException {
        try {
            return Integer.parseInt(element.text());
        } catch (NumberFormatException e) {
            throw fault(element, "must be a whole number, not '" + element.text() + "'");
        }
    }

    private String text(XmlElement element, String childName) throws DeploymentException {
        return text(element, childName, false);
    }

    private String text(XmlElement element, String childName, boolean maybeEmpty)
            throws DeploymentException {
        XmlElement child = element.child(childName);
        if (child == null) {
            throw fault(element, "needs <" + childName + ">");
        }
        if (child.text().isEmpty() && !maybeEmpty) {
            throw fault(child, "is empty");
        }
        return child.text();
    }

    private DeploymentException fault(XmlElement element, String rule) {
        return new DeploymentException(file, element.line, "<" + element.name + ">", rule);
    }
}
