package io.carillon.servlet.route;

import io.carillon.servlet.config.RouterConfig;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import javax.servlet.sip.ar.SipApplicationRouter;
import javax.servlet.sip.ar.spi.SipApplicationRouterProvider;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the application router of a container. */
public final class ApplicationRouters {
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationRouters.class);

    /** System property: class of the provider to take. */
    public static final String PROVIDER_PROPERTY =
            "javax.servlet.sip.ar.spi.SipApplicationRouterProvider";

    private ApplicationRouters() {}

    /**
     * The router to use, {@code init}ialized. In this order:
     *
     * <ol>
     *   <li>the provider class that the system property {@value #PROVIDER_PROPERTY} names;
     *   <li>the one provider which a service file under {@code config.classPathFolder()} names;
     *   <li>the {@link DefaultApplicationRouter}.
     * </ol>
     *
     * The caller tells it of deployments and destroys it.
     *
     * @throws RouterException when a provider or file is named but cannot be used
     */
    public static SipApplicationRouter open(RouterConfig config) {
        ClassLoader loader = loader(config.classPathFolder());
        SipApplicationRouterProvider provider = provider(loader, config.classPathFolder());
        if (provider == null) {
            if (!config.properties().isEmpty()) {
                throw new RouterException(
                        "router-provider.properties",
                        0,
                        "are given, but there is no provider to give them to");
            }
            DefaultApplicationRouter router = new DefaultApplicationRouter(config.file());
            router.init();
            return router;
        }
        String name = provider.getClass().getName();
        SipApplicationRouter router;
        try {
            router = provider.getSipApplicationRouter();
            if (router != null) {
                begin(router, config.properties());
            }
        } catch (RuntimeException | LinkageError e) {
            throw new RouterException(name, 0, "the application router failed to start: " + e, e);
        }
        if (router == null) {
            throw new RouterException(name, 0, "getSipApplicationRouter() returned null");
        }
        return router;
    }

    private static void begin(SipApplicationRouter router, Map<String, String> given) {
        if (given.isEmpty()) {
            router.init();
        } else {
            Properties properties = new Properties();
            properties.putAll(given);
            router.init(properties);
        }
    }

    private static @Nullable SipApplicationRouterProvider provider(
            ClassLoader loader, @Nullable Path folder) {
        String named = System.getProperty(PROVIDER_PROPERTY);
        if (named != null && !named.isBlank()) {
            if (!ofMobicents(loader, named.strip())) {
                return make(loader, named.strip());
            }
            LOG.warn(
                    "-D{}={} names the default application router of another server: ours, which reads the same file, is in its place (docs/guides/migrating-from-mobicents.md)",
                    PROVIDER_PROPERTY,
                    named.strip());
        }
        if (folder == null) {
            return null;
        }
        List<SipApplicationRouterProvider> found = new ArrayList<>();
        try {
            Iterator<SipApplicationRouterProvider> providers =
                    ServiceLoader.load(SipApplicationRouterProvider.class, loader).iterator();
            while (providers.hasNext()) {
                found.add(providers.next());
            }
        } catch (ServiceConfigurationError e) {
            throw new RouterException(
                    folder.toString(),
                    0,
                    "the application router provider cannot be used: " + e.getMessage(),
                    e);
        }
        if (found.size() > 1) {
            throw new RouterException(
                    folder.toString(),
                    0,
                    "holds "
                            + found.size()
                            + " application router providers; choose one by -D"
                            + PROVIDER_PROPERTY
                            + "=CLASS");
        }
        return found.isEmpty() ? null : found.getFirst();
    }

    /** Start scripts of Mobicents and RestComm name its default router, which is not here. */
    private static boolean ofMobicents(ClassLoader loader, String className) {
        boolean theirs =
                (className.startsWith("org.mobicents.") || className.startsWith("org.restcomm."))
                        && className.endsWith(".DefaultApplicationRouterProvider");
        return theirs && loader.getResource(className.replace('.', '/') + ".class") == null;
    }

    private static SipApplicationRouterProvider make(ClassLoader loader, String className) {
        try {
            return Class.forName(className, true, loader)
                    .asSubclass(SipApplicationRouterProvider.class)
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
            throw new RouterException(
                    "-D" + PROVIDER_PROPERTY + "=" + className,
                    0,
                    "no such application router provider can be made: " + e,
                    e);
        }
    }

    private static ClassLoader loader(@Nullable Path folder) {
        ClassLoader own = ApplicationRouters.class.getClassLoader();
        if (folder == null) {
            return own;
        }
        if (!Files.isDirectory(folder)) {
            throw new RouterException(folder.toString(), 0, "is no folder");
        }
        List<Path> places = new ArrayList<>();
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "*.jar")) {
            jars.forEach(places::add);
        } catch (IOException e) {
            throw new RouterException(folder.toString(), 0, "cannot be read: " + e.getMessage(), e);
        }
        Collections.sort(places);
        places.addFirst(folder);
        return new URLClassLoader(
                "application router",
                places.stream().map(ApplicationRouters::url).toArray(URL[]::new),
                own);
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new RouterException(path.toString(), 0, "is no place to load classes from", e);
        }
    }
}
