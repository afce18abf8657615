package io.carillon.servlet.check;

import io.carillon.servlet.check.Finding.Level;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Judges what the classes of an archive refer to, by what they would find in a deployment. Classes
 * are looked up, never initialized. One use, one thread.
 */
final class ClassCheck {
    static final int NEWEST_JAVA = 25;

    /** Calls that wait: not for handlers that declare that they never do. */
    private static final Set<String> WAITING =
            Set.of(
                    "java.lang.Thread.sleep",
                    "java.lang.Thread.join",
                    "java.lang.Object.wait",
                    "java.util.concurrent.Future.get",
                    "java.util.concurrent.CompletableFuture.get",
                    "java.util.concurrent.CompletableFuture.join",
                    "java.util.concurrent.CountDownLatch.await",
                    "java.util.concurrent.Semaphore.acquire",
                    "java.util.concurrent.BlockingQueue.take",
                    "java.util.concurrent.BlockingQueue.put",
                    "java.net.URL.openStream",
                    "java.net.URLConnection.getInputStream",
                    "java.net.http.HttpClient.send",
                    "java.net.InetAddress.getByName",
                    "javax.sql.DataSource.getConnection",
                    "java.sql.DriverManager.getConnection");

    /** Members of the JDK that are there and only throw. */
    private static final Map<String, String> DEAD =
            Map.of(
                    "java.lang.Thread.stop", "throws UnsupportedOperationException since Java 20",
                    "java.lang.Thread.suspend",
                            "throws UnsupportedOperationException since Java 20",
                    "java.lang.Thread.resume", "throws UnsupportedOperationException since Java 20",
                    "java.lang.System.setSecurityManager",
                            "throws UnsupportedOperationException since Java 24");

    private final ClassLoader loader;
    private final boolean nonBlocking;
    private final ApiMembers members = new ApiMembers();
    private final Map<String, Finding> findings = new TreeMap<>();

    ClassCheck(ClassLoader loader, boolean nonBlocking) {
        this.loader = loader;
        this.nonBlocking = nonBlocking;
    }

    /** What was found, each once: the first class that needs it is named. */
    List<Finding> findings() {
        return List.copyOf(findings.values());
    }

    /**
     * @param file class file, as messages call it
     * @param own of the application itself, not of a library: what it names it uses
     */
    void look(String file, ClassReferences references, boolean own) {
        if (references.javaVersion() > NEWEST_JAVA) {
            add(
                    Level.ERROR,
                    file,
                    "class " + references.name(),
                    "is compiled for Java "
                            + references.javaVersion()
                            + "; Carillon runs on Java "
                            + NEWEST_JAVA);
        }
        if (Vendor.bridged(references.name()) && fromArchive(references.name())) {
            add(
                    Level.WARNING,
                    file.replaceFirst("(\\.jar)!/.*", "$1"),
                    "org.mobicents",
                    "extension interfaces of Mobicents that the archive brings: casts to them fail, "
                            + Vendor.BRIDGE);
        }
        for (String type : references.classes()) {
            if (find(type) == null) {
                missing(file, type, own);
            }
        }
        for (ClassReferences.Member member : references.members()) {
            Class<?> owner = find(member.owner());
            if (owner == null) {
                String vendor = Vendor.advice(member.owner());
                if (vendor != null) {
                    add(
                            own ? Level.ERROR : Level.WARNING,
                            file,
                            member.owner() + ": " + ApiMembers.text(member),
                            vendor);
                }
            } else {
                member(file, owner, member, own);
            }
        }
    }

    private void member(String file, Class<?> owner, ClassReferences.Member member, boolean own) {
        boolean api = member.owner().startsWith("javax.servlet.");
        boolean jdk = member.owner().startsWith("java.") || member.owner().startsWith("sun.");
        String text = ApiMembers.text(member);
        if ((api || jdk) && !ApiMembers.has(owner, member)) {
            add(
                    own ? Level.ERROR : Level.WARNING,
                    file,
                    text,
                    api
                            ? "is no member of the API (SIP Servlet 1.1, Servlet 4.0)"
                            : "is not in Java " + NEWEST_JAVA);
            return;
        }
        String reason = api ? members.unsupported(member) : null;
        if (reason != null) {
            add(
                    own ? Level.ERROR : Level.WARNING,
                    file,
                    text,
                    "is not part of this version: " + reason);
        }
        String call = member.owner() + "." + member.name();
        String dead = DEAD.get(call);
        if (dead != null) {
            add(Level.WARNING, file, text, dead);
        }
        if (nonBlocking && own && WAITING.contains(call)) {
            add(
                    Level.WARNING,
                    file,
                    text,
                    "waits, but the application declares that its handlers never do (io.carillon.execution)");
        }
    }

    private void missing(String file, String type, boolean own) {
        String vendor = Vendor.advice(type);
        Level level = own ? Level.ERROR : Level.WARNING;
        if (type.startsWith("jakarta.servlet.")) {
            add(
                    level,
                    file,
                    type,
                    "is of Jakarta EE 9 or later; SIP Servlet 1.1 applications are compiled against javax.servlet");
        } else if (type.startsWith("javax.servlet.")) {
            add(level, file, type, "is no type of the API (SIP Servlet 1.1, Servlet 4.0)");
        } else if (vendor != null) {
            add(level, file, type, vendor);
        } else if (type.startsWith("java.") || type.startsWith("sun.")) {
            add(level, file, type, "is not in Java " + NEWEST_JAVA);
        } else if (own) {
            boolean enterprise = type.startsWith("javax.");
            add(
                    enterprise ? Level.ERROR : Level.WARNING,
                    file,
                    type,
                    enterprise
                            ? "is of Java EE or of an older JDK, and neither in Java "
                                    + NEWEST_JAVA
                                    + " nor in the archive: add its library to WEB-INF/lib"
                            : "is not in the archive");
        }
    }

    private boolean fromArchive(String type) {
        Class<?> found = find(type);
        return found != null && found.getClassLoader() == loader;
    }

    private @Nullable Class<?> find(String type) {
        try {
            return loader.loadClass(type);
        } catch (ClassNotFoundException e) {
            return null; // that is the answer
        } catch (LinkageError e) {
            return Object.class; // it is there; what it lacks is told where its own file is read
        }
    }

    private void add(Level level, String file, String element, String rule) {
        findings.putIfAbsent(level + " " + element, new Finding(level, file, 0, element, rule));
    }
}
