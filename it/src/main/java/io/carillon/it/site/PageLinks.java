package io.carillon.it.site;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.jspecify.annotations.Nullable;

/**
 * Turns links between files of the checkout into links of the site: pages to pages, pictures and
 * data to their copies, sources and folders to pages that show them. Of one page; what leads
 * nowhere stays as it is, for {@link SiteLinks} to tell.
 */
final class PageLinks extends AbstractVisitor {
    private final Path root;
    private final SitePage page;
    private final Map<Path, String> places;
    private final Collection<Path> copied;
    private final Collection<Path> shown;

    /**
     * @param root of the checkout
     * @param places of all pages by their sources
     * @param copied gets the files to copy
     * @param shown gets the files and folders to show as pages
     */
    PageLinks(
            Path root, SitePage page, Map<Path, String> places, Set<Path> copied, Set<Path> shown) {
        this.root = root;
        this.page = page;
        this.places = places;
        this.copied = copied;
        this.shown = shown;
    }

    @Override
    public void visit(Link link) {
        link.setDestination(to(link.getDestination()));
        visitChildren(link);
    }

    @Override
    public void visit(Image image) {
        image.setDestination(to(image.getDestination()));
        visitChildren(image);
    }

    private String to(String link) {
        if (link.contains("://") || link.startsWith("mailto:") || link.startsWith("#")) {
            return link;
        }
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        Path at = source(file);
        String place = at == null ? null : place(at);
        return place == null ? link : page.up() + place + (hash < 0 ? "" : link.substring(hash));
    }

    private @Nullable Path source(String file) {
        Path at = root.resolve(page.source()).resolveSibling(file).normalize();
        return at.startsWith(root) && Files.exists(at) ? root.relativize(at) : null;
    }

    private String place(Path at) {
        String known = places.get(at);
        if (known == null) {
            known = places.get(at.resolve("README.md"));
        }
        if (known != null) {
            return known;
        }
        if (at.startsWith("docs") && Files.isRegularFile(root.resolve(at))) {
            copied.add(at);
            return copyPlace(at);
        }
        shown.add(at);
        return SourcePages.place(root, at);
    }

    /** Where the copy of a file of docs lies. */
    static String copyPlace(Path at) {
        return Path.of("docs").relativize(at).toString().replace('\\', '/');
    }
}
