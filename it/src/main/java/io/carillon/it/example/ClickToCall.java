package io.carillon.it.example;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.lab.rig.Sipp;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon it click-to-call}: the page of the example in a real Chromium. Its button rings
 * two SIPp phones; the page has to show each state in its order.
 */
@Command(
        name = "click-to-call",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Drives the click-to-call page in a real Chromium with two SIPp phones.")
public final class ClickToCall implements Callable<Integer> {
    private static final int SIP_PORT = 6400;
    private static final int HTTP_PORT = 6401;
    private static final int A_PORT = 6450;
    private static final int B_PORT = 6451;
    private static final int PATIENCE_SECONDS = 30;
    private static final String CONNECTED =
            "calling-a a-rings a-answered b-rings b-answered connected";
    private static final String LAST = "document.querySelector('#calls li .text').textContent";
    private static final String ENTRIES = "document.querySelectorAll('#calls > li')";
    private static final String HISTORY =
            "[...document.querySelectorAll('#calls > li:first-child li')].map(e => e.dataset.state).join(' ')";

    @Option(
            names = "--if-installed",
            description = "without chromium and chromedriver: says so, and ends well")
    private boolean ifInstalled;

    @Option(
            names = "--out",
            description = "folder of logs and pictures (it/target/click-to-call-TIME)")
    private String out = "";

    private int calls;
    private final List<String> failures = new ArrayList<>();
    private Path folder = Path.of("");

    @Override
    public Integer call() {
        if (!Browser.installed()) {
            System.out.println("No browser here: apt install chromium chromium-driver");
            return ifInstalled ? 0 : 1;
        }
        try {
            folder = Folders.results(out, "it", "click-to-call");
            try (ServerProcess server =
                            CarillonLaunch.at(SIP_PORT)
                                    .http(HTTP_PORT)
                                    .running(Folders.example(Folders.root(), "click-to-call"))
                                    .with(Conversation.PHONES_HERE)
                                    .start(folder);
                    Browser browser = Browser.start(folder.resolve("browser"))) {
                visit(browser);
                System.out.println(server.name() + " ran on port " + server.port());
            }
            System.out.println("Logs and pictures: " + folder);
            return failures.isEmpty() ? 0 : 1;
        } catch (IOException e) {
            System.err.println("carillon it click-to-call: " + e.getMessage());
            return 1;
        }
    }

    private void visit(Browser browser) throws IOException {
        browser.go("http://127.0.0.1:" + HTTP_PORT + "/click-to-call/");
        looks(browser);
        refusals(browser);
        talk(browser, "the page", "phone-a", "phone-b", "Ended: hung up here");
        talk(browser, "phone A", "phone-a-hangs-up", "phone-b", "Ended: your phone hung up");
        talk(browser, "phone B", "phone-a", "phone-b-hangs-up", "Ended: the other phone hung up");
        busy(browser);
        again(browser);
    }

    // ---- the page ----

    private void looks(Browser browser) throws IOException {
        check(
                "the fields have labels",
                "Your phone, Who to call, Call",
                browser.label("#from")
                        + ", "
                        + browser.label("#to")
                        + ", "
                        + browser.label("#call"));
        for (int width : new int[] {1280, 390}) {
            browser.size(width, 800);
            browser.screenshot(folder.resolve("empty-" + width + ".png"));
            check(
                    "nothing is cut off at " + width + " px",
                    "true",
                    browser.value("document.documentElement.scrollWidth <= " + width));
        }
        browser.size(1280, 800);
    }

    private void refusals(Browser browser) throws IOException {
        String problem = "document.getElementById('problem').textContent";
        browser.click("#call");
        check("empty fields are told", "Both addresses are needed.", browser.value(problem));
        check(
                "the cursor is in the first of them",
                "from",
                browser.value("document.activeElement.id"));
        browser.type("#from", phone(A_PORT));
        browser.type("#to", "sip:bob@203.0.113.9\n");
        await(
                "a foreign host is refused",
                "calls to 203.0.113.9 are not allowed",
                browser,
                problem);
    }

    // ---- calls ----

    private void talk(Browser browser, String who, String a, String b, String end)
            throws IOException {
        try (Sipp phoneA = phone(a, A_PORT);
                Sipp phoneB = phone(b, B_PORT)) {
            dial(browser);
            await(
                    "both phones are connected before " + who + " hangs up",
                    CONNECTED,
                    browser,
                    HISTORY + ".replace(' ended', '')");
            if (who.equals("the page")) {
                for (int width : new int[] {1280, 390}) {
                    browser.size(width, 800);
                    browser.screenshot(folder.resolve("connected-" + width + ".png"));
                }
                browser.size(1280, 800);
                check(
                        "the state is announced",
                        "polite Connected",
                        browser.value(
                                "(e => e.ariaLive + ' ' + e.textContent)(document.getElementById('now'))"));
                browser.click("#calls li .hangup");
            }
            await("the page says that " + who + " hung up", end, browser, LAST);
            ended(phoneA, phoneB);
        }
    }

    private void busy(Browser browser) throws IOException {
        try (Sipp phoneA = phone("phone-a-released", A_PORT);
                Sipp phoneB = phone("phone-b-busy", B_PORT)) {
            dial(browser);
            await("a busy phone is told", "Ended: the other phone is busy", browser, LAST);
            ended(phoneA, phoneB);
        }
    }

    /** The page is loaded anew while a call runs: the call is there, and can be ended. */
    private void again(Browser browser) throws IOException {
        try (Sipp phoneA = phone("phone-a", A_PORT);
                Sipp phoneB = phone("phone-b", B_PORT)) {
            dial(browser);
            String connected = "String(document.querySelectorAll('li.connected').length)";
            await("a call is connected", "1", browser, connected);
            browser.go("http://127.0.0.1:" + HTTP_PORT + "/click-to-call/");
            await("it is still there when the page is loaded again", "1", browser, connected);
            check(
                    "so are the calls before it",
                    Integer.toString(calls),
                    browser.value("String(" + ENTRIES + ".length)"));
            browser.click("li.connected .hangup");
            await("it can be hung up", "0", browser, connected);
            ended(phoneA, phoneB);
            browser.screenshot(folder.resolve("list-1280.png"));
        }
    }

    private static String phone(int port) {
        return "sip:phone@127.0.0.1:" + port;
    }

    private Sipp phone(String scenario, int port) throws IOException {
        Path file = Folders.root().resolve("examples/click-to-call/sipp/" + scenario + ".xml");
        Path logs = folder.resolve(failures.size() + "-" + System.nanoTime() + "-" + scenario);
        return Sipp.start(logs, "", file, port, List.of("-m", "1"));
    }

    private void dial(Browser browser) throws IOException {
        Pause.millis(500); // SIPp says nowhere that it listens
        browser.type("#from", phone(A_PORT));
        browser.type("#to", phone(B_PORT));
        browser.click("#call");
        calls++;
        see(Integer.toString(calls), browser, "String(" + ENTRIES + ".length)");
    }

    private void ended(Sipp... phones) throws IOException {
        for (Sipp phone : phones) {
            phone.await(PATIENCE_SECONDS);
            check("its phone saw what it expected", "0", Integer.toString(phone.exitCode()));
        }
    }

    // ---- checks ----

    private void await(String what, String wanted, Browser browser, String expression)
            throws IOException {
        check(what, wanted, see(wanted, browser, expression));
    }

    /** What the page shows once it is what is wanted, or when patience is over. */
    private static String see(String wanted, Browser browser, String expression)
            throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        String seen = browser.value(expression);
        while (!seen.equals(wanted) && System.nanoTime() < deadline) {
            Pause.millis(50);
            seen = browser.value(expression);
        }
        return seen;
    }

    private void check(String what, String wanted, String seen) {
        boolean well = wanted.equals(seen);
        if (!well) {
            failures.add(what);
        }
        System.out.println((well ? "ok      " : "FAILED  ") + what + (well ? "" : ": " + seen));
    }
}
