package io.carillon.it.example;

import io.carillon.lab.process.Pause;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * A real Chromium without a window, driven through chromedriver by the WebDriver protocol (W3C):
 * what is clicked and typed is what a visitor's mouse and keyboard do.
 */
final class Browser implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
    private static final int START_SECONDS = 60;

    private final Process driver;
    private final HttpClient http = HttpClient.newHttpClient();
    private final String base;
    private String session = "";

    private Browser(Process driver, int port) {
        this.driver = driver;
        this.base = "http://127.0.0.1:" + port;
    }

    /** Whether this machine has what it takes. */
    static boolean installed() {
        return find("chromedriver") != null && find("chromium", "google-chrome") != null;
    }

    private static @Nullable Path find(String... names) {
        for (String folder : String.valueOf(System.getenv("PATH")).split(File.pathSeparator, -1)) {
            for (String name : names) {
                Path found = Path.of(folder, name);
                if (Files.isExecutable(found)) {
                    return found;
                }
            }
        }
        return null;
    }

    static Browser start(Path folder) throws IOException {
        Files.createDirectories(folder);
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Process driver =
                new ProcessBuilder("chromedriver", "--port=" + port)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("chromedriver.log").toFile())
                        .start();
        Browser browser = new Browser(driver, port);
        try {
            browser.awaitDriver();
            browser.open(folder);
            return browser;
        } catch (IOException e) {
            browser.close();
            throw e;
        }
    }

    private void awaitDriver() throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (true) {
            try {
                if (ask("GET", "/status", null).path("ready").asBoolean()) {
                    return;
                }
            } catch (IOException notYet) {
                if (!driver.isAlive() || System.nanoTime() > deadline) {
                    throw new IOException("chromedriver does not start", notYet);
                }
            }
            Pause.millis(100);
        }
    }

    private void open(Path folder) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--headless=new", "--disable-gpu"));
        arguments.add("--user-data-dir=" + folder.resolve("profile"));
        arguments.add("--disable-dev-shm-usage");
        if ("root".equals(System.getProperty("user.name"))) {
            arguments.add("--no-sandbox"); // Chromium refuses root otherwise; it sees our page only
        }
        Map<String, Object> chrome =
                Map.of(
                        "binary",
                        String.valueOf(find("chromium", "google-chrome")),
                        "args",
                        arguments);
        JsonNode made =
                ask(
                        "POST",
                        "/session",
                        Map.of(
                                "capabilities",
                                Map.of("alwaysMatch", Map.of("goog:chromeOptions", chrome))));
        session = "/session/" + made.path("sessionId").asString();
    }

    // ---- what a visitor does ----

    void go(String url) throws IOException {
        ask("POST", session + "/url", Map.of("url", url));
    }

    /** The size of the view, as a phone or a desktop has it. */
    void size(int width, int height) throws IOException {
        Map<String, Object> metrics =
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false);
        ask(
                "POST",
                session + "/goog/cdp/execute",
                Map.of("cmd", "Emulation.setDeviceMetricsOverride", "params", metrics));
    }

    void click(String css) throws IOException {
        ask("POST", session + "/element/" + element(css) + "/click", Map.of());
    }

    /** Types in place of what is there; a line end is the Enter key. */
    void type(String css, String text) throws IOException {
        String element = session + "/element/" + element(css);
        ask("POST", element + "/clear", Map.of());
        ask("POST", element + "/value", Map.of("text", text.replace('\n', '\uE007')));
    }

    // ---- what a visitor sees ----

    /** What a screen reader calls the element. */
    String label(String css) throws IOException {
        return ask("GET", session + "/element/" + element(css) + "/computedlabel", null).asString();
    }

    /** The value of a JavaScript expression, as text. */
    String value(String expression) throws IOException {
        Map<String, Object> script = Map.of("script", "return " + expression, "args", List.of());
        return ask("POST", session + "/execute/sync", script).asString("");
    }

    void screenshot(Path file) throws IOException {
        String picture = ask("GET", session + "/screenshot", null).asString();
        Files.write(file, Base64.getDecoder().decode(picture));
    }

    private String element(String css) throws IOException {
        Map<String, Object> by = Map.of("using", "css selector", "value", css);
        return ask("POST", session + "/element", by).path(ELEMENT).asString();
    }

    private JsonNode ask(String method, String path, @Nullable Object body) throws IOException {
        String text = body == null ? "" : JSON.writeValueAsString(body);
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(base + path))
                        .method(method, BodyPublishers.ofString(text))
                        .build();
        try {
            HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
            JsonNode value = JSON.readTree(response.body()).path("value");
            if (response.statusCode() != 200) {
                String[] message = value.path("message").asString("").split("\n", -1);
                throw new IOException("the browser: " + Arrays.asList(message).getFirst());
            }
            return value;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            if (!session.isEmpty()) {
                ask("DELETE", session, null); // Chromium ends with its session
            }
        } finally {
            http.close();
            driver.destroy();
        }
    }
}
