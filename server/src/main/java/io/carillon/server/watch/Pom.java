package io.carillon.server.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/**
 * What a build by hand needs to know of a {@code pom.xml}: its own words, and where it says nothing
 * those of its parents on this disk. Nothing is fetched. Immutable.
 */
final class Pom {
    private static final int MOST_PARENTS = 20;

    private final Path file;

    /** This one, then its parents. */
    private final List<Element> chain;

    private Pom(Path file, List<Element> chain) {
        this.file = file;
        this.chain = chain;
    }

    static Pom read(Path file) throws IOException {
        List<Element> chain = new ArrayList<>();
        Path next = file;
        while (next != null && Files.isRegularFile(next) && chain.size() < MOST_PARENTS) {
            Element project = parse(next);
            chain.add(project);
            next = parent(next, project);
        }
        if (chain.isEmpty()) {
            throw new WatchException(file + ": there is no such file");
        }
        return new Pom(file, List.copyOf(chain));
    }

    private static Element parse(Path file) throws IOException {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            var builder = factory.newDocumentBuilder();
            builder.setErrorHandler(null); // it would print what is thrown anyway
            Document document = builder.parse(file.toFile());
            return document.getDocumentElement();
        } catch (SAXParseException e) {
            throw new WatchException(file + ":" + e.getLineNumber() + ": " + e.getMessage(), e);
        } catch (SAXException | ParserConfigurationException e) {
            throw new WatchException(file + ": " + e.getMessage(), e);
        }
    }

    private static @Nullable Path parent(Path file, Element project) {
        Element parent = child(project, "parent");
        if (parent == null) {
            return null;
        }
        String named = text(parent, "relativePath");
        Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
        Path path = folder.resolve(named == null ? "../pom.xml" : named).normalize();
        return Files.isDirectory(path) ? path.resolve("pom.xml") : path;
    }

    Path file() {
        return file;
    }

    Path folder() {
        return Objects.requireNonNull(file.toAbsolutePath().getParent());
    }

    String packaging() {
        return Objects.requireNonNullElse(text(chain.getFirst(), "packaging"), "jar");
    }

    /** The file name of what Maven makes of it, without its end. */
    String finalName() {
        Element build = child(chain.getFirst(), "build");
        String name = build == null ? null : text(build, "finalName");
        if (name == null) {
            name = "${project.artifactId}-${project.version}";
        }
        return name.replace("${project.artifactId}", artifact())
                .replace("${artifactId}", artifact())
                .replace("${project.version}", version())
                .replace("${version}", version())
                .replaceAll("\\$\\{[^}]*}", "1");
    }

    private String artifact() {
        return Objects.requireNonNullElse(text(chain.getFirst(), "artifactId"), "application");
    }

    private String version() {
        for (Element project : chain) {
            String own = text(project, "version");
            Element parent = child(project, "parent");
            String version = own == null && parent != null ? text(parent, "version") : own;
            if (version != null) {
                return version;
            }
        }
        return "1";
    }

    /** The folder of sources that it names, null where it is Maven's usual one. */
    @Nullable String sourceFolder() {
        Element build = child(chain.getFirst(), "build");
        String named = build == null ? null : text(build, "sourceDirectory");
        return named == null
                ? null
                : named.replace("${project.basedir}/", "").replace("${basedir}/", "");
    }

    /** A property, null where none of the chain has it or it is made of others. */
    @Nullable String property(String name) {
        for (Element project : chain) {
            Element properties = child(project, "properties");
            String value = properties == null ? null : text(properties, name);
            if (value != null) {
                return value.contains("${") ? null : value;
            }
        }
        return null;
    }

    /** Which Java its classes are for, null where it does not say. */
    @Nullable String release() {
        String release = property("maven.compiler.release");
        if (release == null) {
            release = property("maven.compiler.target");
        }
        return release == null || release.startsWith("1.") ? null : release;
    }

    /** Is the plugin one of its build, in its own file? */
    boolean uses(String plugin) {
        Element build = child(chain.getFirst(), "build");
        Element plugins = build == null ? null : child(build, "plugins");
        if (plugins == null) {
            return false;
        }
        for (Node n = plugins.getFirstChild(); n != null; n = n.getNextSibling()) {
            if (n instanceof Element one && plugin.equals(text(one, "artifactId"))) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Element child(Element of, String name) {
        for (Node n = of.getFirstChild(); n != null; n = n.getNextSibling()) {
            if (n instanceof Element element && element.getTagName().equals(name)) {
                return element;
            }
        }
        return null;
    }

    /** Null where it is absent or blank. */
    private static @Nullable String text(Element of, String name) {
        Element child = child(of, name);
        String text = child == null ? "" : child.getTextContent().strip();
        return text.isEmpty() ? null : text;
    }
}
