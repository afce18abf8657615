package io.carillon.servlet.app;

import io.carillon.servlet.naming.ApplicationNaming;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The classes of one application, apart from every other and from the server.
 *
 * <ul>
 *   <li>The JDK comes first: an archive cannot replace a class of it.
 *   <li>The API ({@code javax.servlet} and below) comes from the server, whatever copies lie in the
 *       archive: the types must be the container's.
 *   <li>So do the common annotations ({@code javax.annotation}), where the server has them, what a
 *       bridge shares ({@code ApiObjects#shares}), and the two classes that JNDI makes by their
 *       names.
 *   <li>Everything else comes from the archive alone: {@code WEB-INF/classes}, then {@code
 *       WEB-INF/lib} in the order of names. The server's own classes and libraries (Carillon,
 *       Netty, Jetty, Jackson ...) are out of sight, so an application may bring its own versions.
 *   <li>SLF4J comes from the server where the archive has none: what is logged by it then stands in
 *       the server's log.
 * </ul>
 *
 * Safe for any thread. Closing it releases the jars.
 */
public final class ApplicationClassLoader extends URLClassLoader {
    private static final String API_PACKAGE = "javax.servlet.";
    private static final String API_FOLDER = "javax/servlet/";

    /**
     * Resource, PostConstruct and the like: left the JDK with 11, and are the container's to read.
     */
    private static final String COMMON_ANNOTATIONS = "javax.annotation.";

    private static final String LOGGING = "org.slf4j.";
    private static final String LOGGER = "org/slf4j/Logger.class";

    static {
        registerAsParallelCapable();
    }

    private final ClassLoader platform = getPlatformClassLoader();
    private final String application;
    private final ClassLoader server;
    private final Predicate<String> shared;

    private ApplicationClassLoader(
            String name, URL[] places, ClassLoader server, Predicate<String> shared) {
        super("application " + name, places, server);
        this.application = name;
        this.server = server;
        this.shared = shared;
    }

    /**
     * A loader over an unpacked archive.
     *
     * @param root folder which holds WEB-INF
     * @param server the loader which has the API
     * @param shared names of more classes that come from the server
     */
    public static ApplicationClassLoader open(
            String name, Path root, ClassLoader server, Predicate<String> shared)
            throws IOException {
        List<URL> places = new ArrayList<>();
        Path classes = root.resolve("WEB-INF/classes");
        if (Files.isDirectory(classes)) {
            places.add(url(classes));
        }
        for (Path jar : libraries(root)) {
            places.add(url(jar));
        }
        return new ApplicationClassLoader(name, places.toArray(new URL[0]), server, shared);
    }

    /** The jars of {@code WEB-INF/lib}, by name. */
    static List<Path> libraries(Path root) throws IOException {
        List<Path> jars = new ArrayList<>();
        Path lib = root.resolve("WEB-INF/lib");
        if (Files.isDirectory(lib)) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(lib, "*.jar")) {
                found.forEach(jars::add);
            }
        }
        Collections.sort(jars);
        return jars;
    }

    private static URL url(Path path) throws MalformedURLException {
        return path.toUri().toURL();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> type = findLoadedClass(name);
            if (type == null) {
                type = find(name);
            }
            if (resolve) {
                resolveClass(type);
            }
            return type;
        }
    }

    private Class<?> find(String name) throws ClassNotFoundException {
        Class<?> type = from(platform, name);
        if (type == null
                && (name.startsWith(API_PACKAGE)
                        || name.startsWith(COMMON_ANNOTATIONS)
                        || shared.test(name)
                        || ApplicationNaming.isFactory(name))) {
            type = from(server, name);
        }
        if (type == null && name.startsWith(LOGGING) && findResource(LOGGER) == null) {
            type = from(server, name);
        }
        return type != null ? type : findClass(name);
    }

    /**
     * The application whose code the calling thread runs, or was started by; null for none. For the
     * log, where nothing else tells: the thread's context class loader says so.
     */
    public static @Nullable String ofThread() {
        return Thread.currentThread().getContextClassLoader()
                        instanceof ApplicationClassLoader loader
                ? loader.application
                : null;
    }

    private static @Nullable Class<?> from(ClassLoader loader, String name) {
        try {
            return loader.loadClass(name);
        } catch (ClassNotFoundException absent) {
            return null; // the next place is asked
        }
    }

    @Override
    public @Nullable URL getResource(String name) {
        URL found = platform.getResource(name);
        if (found == null && name.startsWith(API_FOLDER)) {
            found = server.getResource(name);
        }
        return found != null ? found : findResource(name);
    }

    /**
     * Of the archive and the JDK only: a service file of the server names classes that nobody here
     * can see.
     */
    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        List<URL> found = new ArrayList<>(Collections.list(findResources(name)));
        if (name.startsWith(API_FOLDER)) {
            found.addAll(Collections.list(server.getResources(name)));
        } else {
            found.addAll(Collections.list(platform.getResources(name)));
        }
        return Collections.enumeration(found);
    }
}
