package io.carillon.servlet.check;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ApplicationLoader;
import io.carillon.servlet.app.ArchiveLimits;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.app.ServletDescription;
import io.carillon.servlet.app.UnpackedArchive;
import io.carillon.servlet.check.Finding.Level;
import io.carillon.servlet.dispatch.ApiObjects;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EventListener;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.servlet.sip.SipServlet;
import org.jspecify.annotations.Nullable;

/**
 * Looks at an archive as a deployment would find it, without a server: descriptor, classes,
 * libraries. One use, one thread.
 */
public final class ArchiveCheck {
    private static final int MAX_CLASS_BYTES = 16 << 20;

    private final UnpackedArchive archive;
    private final List<Finding> findings = new ArrayList<>();
    private final Map<String, ClassReferences> own = new HashMap<>();
    private int javaVersion;

    private ArchiveCheck(UnpackedArchive archive) {
        this.archive = archive;
    }

    /**
     * @param path {@code .war}, {@code .sar} or exploded folder
     * @param workFolder where it is unpacked for a while
     * @throws DeploymentException when it cannot be unpacked
     */
    public static CheckReport of(Path path, Path workFolder) throws DeploymentException {
        CheckReport[] report = new CheckReport[1];
        new ApplicationLoader(
                        workFolder,
                        ArchiveLimits.DEFAULT,
                        name -> Map.of(),
                        ApiObjects.installed()::shares)
                .inspect(path, archive -> report[0] = new ArchiveCheck(archive).report());
        return report[0];
    }

    private CheckReport report() {
        ApplicationDescription description = archive.description();
        DeploymentException fault = archive.fault();
        if (fault != null) {
            findings.add(
                    new Finding(
                            Level.ERROR,
                            fault.file(),
                            fault.line(),
                            fault.element(),
                            fault.rule()));
        }
        boolean nonBlocking =
                description != null && description.execution() == ExecutionMode.NON_BLOCKING;
        ClassCheck classes = new ClassCheck(archive.classes(), nonBlocking);
        lookAtClasses(classes);
        lookAtLibraries(classes);
        lookAtPages();
        findings.addAll(ForeignFiles.in(archive.label(), archive.root()));
        List<String> entries = new ArrayList<>();
        List<String> needs = List.of();
        if (description != null) {
            needs = ServerNeeds.of(archive.root(), description);
            lookAt(description);
            entries = new RouterEntries(own).of(description);
        }
        findings.addAll(classes.findings());
        findings.sort(Comparator.comparing(Finding::level));
        return new CheckReport(
                archive.label(),
                description == null ? "" : description.name(),
                description == null ? "" : says(description),
                description == null
                        ? List.of()
                        : description.servlets().stream().map(ServletDescription::name).toList(),
                description == null ? "" : description.execution().text(),
                javaVersion,
                entries,
                needs,
                findings);
    }

    private static String says(ApplicationDescription description) {
        String own = description.presentation().description();
        boolean named = !description.displayName().equals(description.name());
        return !named ? own : description.displayName() + (own.isEmpty() ? "" : ": " + own);
    }

    private void lookAtClasses(ClassCheck check) {
        Path folder = archive.root().resolve("WEB-INF/classes");
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> walk = Files.walk(folder)) {
            for (Path file :
                    walk.filter(one -> one.toString().endsWith(".class")).sorted().toList()) {
                String name = folder.relativize(file).toString().replace('\\', '/');
                String label = archive.label() + "!/WEB-INF/classes/" + name;
                ClassReferences references = read(label, Files.readAllBytes(file));
                if (references != null) {
                    own.put(references.name(), references);
                    check.look(label, references, true);
                }
            }
        } catch (IOException e) {
            unreadable(archive.label() + "!/WEB-INF/classes", e);
        }
    }

    private void lookAtLibraries(ClassCheck check) {
        for (Path library : archive.libraries()) {
            String label = archive.label() + "!/WEB-INF/lib/" + library.getFileName();
            try (ZipFile zip = new ZipFile(library.toFile())) {
                for (ZipEntry entry : zip.stream().map(ZipEntry.class::cast).toList()) {
                    String name = entry.getName();
                    boolean ordinary =
                            name.endsWith(".class")
                                    && !name.startsWith("META-INF/") // for one Java version only
                                    && !name.endsWith("module-info.class");
                    if (ordinary) {
                        lookAtEntry(check, zip, entry, label + "!/" + name);
                    }
                }
            } catch (IOException e) {
                unreadable(label, e);
            }
        }
    }

    /** JSPs deploy and answer with an error: nobody compiles them. */
    private void lookAtPages() {
        try (Stream<Path> walk = Files.walk(archive.root())) {
            List<Path> pages =
                    walk.filter(one -> one.toString().matches("(?i).*\\.jspx?")).sorted().toList();
            if (!pages.isEmpty()) {
                findings.add(
                        new Finding(
                                Level.WARNING,
                                archive.label()
                                        + "!/"
                                        + archive.root().relativize(pages.getFirst()),
                                0,
                                pages.size() == 1 ? "JSP" : "JSP, one of " + pages.size(),
                                "is not compiled here: a request for it is answered 501 (docs/guides/converged-http.md)"));
            }
        } catch (IOException e) {
            unreadable(archive.label(), e);
        }
    }

    private void lookAtEntry(ClassCheck check, ZipFile zip, ZipEntry entry, String label)
            throws IOException {
        try (InputStream in = zip.getInputStream(entry)) {
            ClassReferences references = read(label, in.readNBytes(MAX_CLASS_BYTES));
            if (references != null) {
                check.look(label, references, false);
            }
        }
    }

    private void unreadable(String label, IOException e) {
        findings.add(new Finding(Level.ERROR, label, 0, null, "cannot be read: " + e.getMessage()));
    }

    private @Nullable ClassReferences read(String label, byte[] bytes) {
        try {
            ClassReferences references = ClassReferences.of(bytes);
            javaVersion = Math.max(javaVersion, references.javaVersion());
            return references;
        } catch (RuntimeException e) { // the parser's own kinds, and a few that it lets through
            findings.add(
                    new Finding(
                            Level.WARNING, label, 0, null, "broken class file: " + e.getMessage()));
            return null;
        }
    }

    private void lookAt(ApplicationDescription description) {
        for (String warning : description.warnings()) {
            findings.add(new Finding(Level.WARNING, archive.label(), 0, null, warning));
        }
        for (ServletDescription servlet : description.servlets()) {
            instance("servlet " + servlet.name(), servlet.className(), SipServlet.class);
            boolean mapped =
                    description.mappings().stream()
                            .anyMatch(one -> one.servletName().equals(servlet.name()));
            boolean main = servlet.name().equals(description.mainServlet());
            if (!mapped && !main && description.servlets().size() > 1) {
                findings.add(
                        new Finding(
                                Level.WARNING,
                                archive.label(),
                                0,
                                "servlet " + servlet.name(),
                                "gets no initial request: it has no <servlet-mapping> and is not the <main-servlet>"));
            }
        }
        for (String listener : description.listenerClasses()) {
            instance("listener " + listener, listener, EventListener.class);
        }
    }

    /** Nothing is made: the class is looked at. */
    private void instance(String element, String className, Class<?> type) {
        String rule = null;
        try {
            Class<?> found = archive.classes().loadClass(className);
            boolean makeable =
                    Modifier.isPublic(found.getModifiers())
                            && !Modifier.isAbstract(found.getModifiers())
                            && Stream.of(found.getConstructors())
                                    .anyMatch(one -> one.getParameterCount() == 0);
            if (!type.isAssignableFrom(found)) {
                rule = className + " is no " + type.getName();
            } else if (!makeable) {
                rule =
                        className
                                + " must be public, not abstract, with a public constructor without parameters";
            }
        } catch (ClassNotFoundException e) {
            rule = "class " + className + " is not in WEB-INF/classes or WEB-INF/lib";
        } catch (LinkageError e) {
            rule = className + " cannot be linked: " + e;
        }
        if (rule != null) {
            findings.add(new Finding(Level.ERROR, archive.label(), 0, element, rule));
        }
    }
}
