package io.carillon.servlet.app;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes the description of an unpacked archive: sip.xml first, annotations where it is silent, then
 * the rules that hold for both. One thread.
 */
final class DescriptionReader {
    private static final int MAX_DESCRIPTOR_BYTES = 4 << 20;

    private final String archive;
    private final Path root;
    private final @Nullable SipXml xml;
    private final @Nullable AnnotationScan scan;

    private DescriptionReader(String archive, Path root) throws DeploymentException {
        this.archive = archive;
        this.root = root;
        this.xml = sipXml();
        this.scan = xml != null && xml.metadataComplete ? null : AnnotationScan.of(archive, root);
    }

    /**
     * @param archive what messages call it
     * @param root unpacked archive
     * @param fallbackName name of an application which has none in sip.xml or annotations
     * @param contextParams of the configuration, by the application's name; they win over the
     *     descriptor's
     */
    static ApplicationDescription read(
            String archive,
            Path root,
            String fallbackName,
            Function<String, Map<String, String>> contextParams)
            throws DeploymentException {
        LibraryPaths.check(archive, root);
        return new DescriptionReader(archive, root).description(fallbackName, contextParams);
    }

    private @Nullable SipXml sipXml() throws DeploymentException {
        Path path = root.resolve("WEB-INF/sip.xml");
        if (!Files.isRegularFile(path)) {
            return null;
        }
        String file = archive + "!/WEB-INF/sip.xml";
        try (InputStream in = new BufferedInputStream(Files.newInputStream(path))) {
            if (Files.size(path) > MAX_DESCRIPTOR_BYTES) {
                throw new DeploymentException(
                        file, "is larger than " + MAX_DESCRIPTOR_BYTES + " bytes");
            }
            return SipXml.read(file, in);
        } catch (IOException e) {
            throw new DeploymentException(file, 0, null, "cannot be read: " + e.getMessage(), e);
        }
    }

    private ApplicationDescription description(
            String fallbackName, Function<String, Map<String, String>> contextParams)
            throws DeploymentException {
        AnnotationScan.Found application = application();
        ApplicationDescription.Builder builder =
                ApplicationDescription.builder(name(application, fallbackName));
        if (application != null) {
            annotated(builder, application);
        }
        if (xml != null) {
            described(builder, xml);
        }
        if (scan != null) {
            scanned(builder, scan);
        }
        presented(builder, application, scan);
        named(builder);
        if (xml != null) {
            Set<String> names = new HashSet<>();
            builder.servlets.forEach(servlet -> names.add(servlet.name()));
            int told = xml.warnings.size();
            builder.security(xml.security.description(names));
            builder.warnings(xml.warnings.subList(told, xml.warnings.size()));
        }
        try {
            contextParams.apply(builder.name).forEach(builder::contextParam);
        } catch (IllegalArgumentException e) {
            throw new DeploymentException(
                    "configuration of application " + builder.name,
                    0,
                    "context-params",
                    String.valueOf(e.getMessage()),
                    e);
        }
        checkName(builder.name, application);
        check(builder);
        return builder.build();
    }

    private void checkName(String name, AnnotationScan.@Nullable Found application)
            throws DeploymentException {
        String fault = ApplicationName.fault(name);
        if (fault == null) {
            return;
        }
        if (xml != null && xml.appName != null) {
            throw new DeploymentException(
                    xml.file, xml.appName.line(), "<app-name> " + name, fault);
        }
        if (application != null && application.text("name").equals(name)) {
            throw new DeploymentException(application.file(), 0, "@SipApplication " + name, fault);
        }
        throw new DeploymentException(archive, 0, "the application's name " + name, fault);
    }

    private AnnotationScan.@Nullable Found application() throws DeploymentException {
        if (scan == null || scan.applications.isEmpty()) {
            return null;
        }
        AnnotationScan.Found first = scan.applications.getFirst();
        for (AnnotationScan.Found other : scan.applications) {
            if (!other.text("name").equals(first.text("name"))) {
                throw new DeploymentException(
                        other.file(),
                        0,
                        "@SipApplication " + other.text("name"),
                        "an archive is one application, and "
                                + first.file()
                                + " names it '"
                                + first.text("name")
                                + "'");
            }
        }
        return first;
    }

    /**
     * sip.xml's app-name, else the annotations', else the archive's file name. Where several say
     * it, they must agree.
     */
    private String name(AnnotationScan.@Nullable Found application, String fallbackName)
            throws DeploymentException {
        String name = xml != null && xml.appName != null ? xml.appName.name() : null;
        if (application != null && !application.text("name").isEmpty()) {
            String annotated = application.text("name");
            if (name != null && !name.equals(annotated)) {
                throw new DeploymentException(
                        application.file(),
                        0,
                        "@SipApplication " + annotated,
                        "<app-name> in sip.xml is '" + name + "'");
            }
            name = annotated;
        }
        if (scan != null) {
            List<AnnotationScan.Found> members = new ArrayList<>(scan.servlets);
            members.addAll(scan.listeners);
            members.addAll(scan.keys);
            for (AnnotationScan.Found member : members) {
                String own = member.text("applicationName");
                if (!own.isEmpty() && name != null && !own.equals(name)) {
                    throw new DeploymentException(
                            member.file(),
                            0,
                            "applicationName " + own,
                            "the application of this archive is '" + name + "'");
                }
                name = own.isEmpty() ? name : own;
            }
        }
        return name == null ? fallbackName : name;
    }

    private static void annotated(
            ApplicationDescription.Builder builder, AnnotationScan.Found application) {
        String display = application.text("displayName");
        builder.displayName(display.isEmpty() ? null : display)
                .distributable(application.flag("distributable"))
                .proxyTimeoutSeconds(
                        application.number(
                                "proxyTimeout",
                                ApplicationDescription.DEFAULT_PROXY_TIMEOUT_SECONDS));
        Integer timeout = application.given("sessionTimeout");
        if (timeout != null) {
            builder.sessionTimeoutMinutes(timeout);
        }
        String main = application.text("mainServlet");
        builder.mainServlet(main.isEmpty() ? null : main);
    }

    /** What stands in sip.xml was there first and stays. */
    private static void presented(
            ApplicationDescription.Builder builder,
            AnnotationScan.@Nullable Found application,
            @Nullable AnnotationScan scan) {
        if (application != null) {
            builder.presentation(
                    application.text("description"),
                    application.text("smallIcon"),
                    application.text("largeIcon"));
        }
        if (scan != null) {
            for (AnnotationScan.Found found : scan.servlets) {
                describe(builder.servletDescriptions, servletName(found), found);
            }
            for (AnnotationScan.Found found : scan.listeners) {
                describe(builder.listenerDescriptions, found.className(), found);
            }
        }
    }

    private void named(ApplicationDescription.Builder builder) throws DeploymentException {
        List<String> warnings = new ArrayList<>();
        NamesXml names = xml == null ? new NamesXml(warnings) : xml.names;
        int told = xml == null ? 0 : xml.warnings.size();
        names.webXml(archive, root);
        builder.resources(names.all());
        builder.warnings(xml == null ? warnings : xml.warnings.subList(told, xml.warnings.size()));
    }

    private static void describe(Map<String, String> to, String key, AnnotationScan.Found found) {
        String text = found.text("description");
        if (!text.isEmpty()) {
            to.putIfAbsent(key, text);
        }
    }

    private static void described(ApplicationDescription.Builder builder, SipXml xml) {
        builder.version(xml.version).warnings(xml.warnings);
        if (xml.displayName != null) {
            builder.displayName(xml.displayName);
        }
        if (xml.distributable) {
            builder.distributable(true);
        }
        if (xml.proxyTimeoutSeconds != null) {
            builder.proxyTimeoutSeconds(xml.proxyTimeoutSeconds);
        }
        if (xml.sessionTimeoutMinutes != null) {
            builder.sessionTimeoutMinutes(xml.sessionTimeoutMinutes);
        }
        builder.presentation(xml.description, xml.smallIcon, xml.largeIcon);
        builder.servletDescriptions.putAll(xml.servletDescriptions);
        builder.listenerDescriptions.putAll(xml.listenerDescriptions);
        xml.contextParams.forEach(builder::contextParam);
        xml.servlets.forEach(servlet -> builder.servlet(servlet.description()));
        xml.listeners.forEach(listener -> builder.listenerClass(listener.name()));
        for (SipXml.Mapping mapping : xml.mappings) {
            builder.mapping(mapping.mapping().servletName(), mapping.mapping().rule());
        }
        if (xml.mainServlet != null) {
            builder.mainServlet(xml.mainServlet.name());
        } else if (!xml.mappings.isEmpty()) {
            builder.mainServlet(
                    null); // the descriptor's choice stands before @SipApplication.mainServlet
        }
    }

    private void scanned(ApplicationDescription.Builder builder, AnnotationScan scan)
            throws DeploymentException {
        for (AnnotationScan.Found found : scan.servlets) {
            servlet(builder, found);
        }
        for (AnnotationScan.Found found : scan.listeners) {
            if (!builder.listenerClasses.contains(found.className())) {
                builder.listenerClass(found.className());
            }
        }
        for (AnnotationScan.Found found : scan.keys) {
            if (builder.key != null) {
                throw new DeploymentException(
                        found.file(),
                        0,
                        "@SipApplicationKey " + found.className() + "." + found.method(),
                        "an application has one such method, and "
                                + builder.key.className()
                                + "."
                                + builder.key.methodName()
                                + " is it");
            }
            builder.key(new ApplicationKey(found.className(), String.valueOf(found.method())));
        }
        for (AnnotationScan.Found found : scan.concurrency) {
            // Its other modes promise less than what holds here always.
            if (found.text("mode").equals("None")) {
                builder.warnings(
                        List.of(
                                found.file()
                                        + ": @ConcurrencyControl(mode=None): here the handlers of one application session never run at the same time"));
            }
        }
    }

    /** A servlet which sip.xml declares too, by class or name, is sip.xml's. */
    private void servlet(ApplicationDescription.Builder builder, AnnotationScan.Found found)
            throws DeploymentException {
        String name = servletName(found);
        for (ServletDescription other : builder.servlets) {
            boolean inXml =
                    xml != null
                            && xml.servlets.stream()
                                    .anyMatch(servlet -> servlet.description().equals(other));
            if (inXml
                    && (other.name().equals(name) || other.className().equals(found.className()))) {
                return;
            }
            if (other.name().equals(name)) {
                throw new DeploymentException(
                        found.file(),
                        0,
                        "@SipServlet " + name,
                        "class " + other.className() + " has that name too");
            }
        }
        builder.servlet(
                new ServletDescription(
                        name,
                        found.className(),
                        Map.of(),
                        found.number("loadOnStartup", -1),
                        null));
    }

    private static String servletName(AnnotationScan.Found found) {
        String simple = found.className().substring(found.className().lastIndexOf('.') + 1);
        return found.text("name").isEmpty() ? simple : found.text("name");
    }

    private void check(ApplicationDescription.Builder builder) throws DeploymentException {
        String file = xml == null ? archive : xml.file;
        if (builder.servlets.isEmpty()) {
            throw new DeploymentException(
                    file,
                    xml == null
                            ? "no WEB-INF/sip.xml and no class annotated @SipServlet"
                            : "no <servlet>, and no class annotated @SipServlet");
        }
        if (xml != null) {
            for (SipXml.Mapping mapping : xml.mappings) {
                if (!has(builder, mapping.mapping().servletName())) {
                    throw new DeploymentException(
                            file,
                            mapping.line(),
                            "<servlet-mapping>",
                            unknown(builder, mapping.mapping().servletName()));
                }
            }
        }
        String main = builder.mainServlet;
        if (main != null && !has(builder, main)) {
            boolean inXml = xml != null && xml.mainServlet != null;
            int line = xml != null && xml.mainServlet != null ? xml.mainServlet.line() : 0;
            throw new DeploymentException(
                    file,
                    line,
                    inXml ? "<main-servlet>" : "@SipApplication mainServlet",
                    unknown(builder, main));
        }
        if (main != null && !builder.mappings.isEmpty()) {
            builder.warnings(
                    List.of(
                            file
                                    + ": <main-servlet> stands beside <servlet-mapping>; the mappings are never asked"));
        }
        if (main == null && builder.mappings.isEmpty() && builder.servlets.size() > 1) {
            throw new DeploymentException(
                    file,
                    "servlets "
                            + names(builder)
                            + ", but neither <main-servlet> nor <servlet-mapping> says which gets the initial requests");
        }
    }

    private static boolean has(ApplicationDescription.Builder builder, String name) {
        return builder.servlets.stream().anyMatch(servlet -> servlet.name().equals(name));
    }

    private static String unknown(ApplicationDescription.Builder builder, String name) {
        return "no servlet is named '" + name + "'; there are " + names(builder);
    }

    private static String names(ApplicationDescription.Builder builder) {
        return String.join(", ", builder.servlets.stream().map(ServletDescription::name).toList());
    }
}
