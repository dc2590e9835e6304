<!DOCTYPE html>
<?php
declare(strict_types=1);

namespace Example\Web;

use Example\Http\{
    Request,
    Response
};

const LIMITS = [
    'least' => 1,
    'most' => 64,
];

/** Finds who answers. */
#[Service]
#[Tag('router',
    priority: 10)]
final class Router extends Base implements Handler
{
    private array $routes = []; // by path

    public function __construct(
        private string $name = "main",
    ) {
        parent::__construct($name, LIMITS['most'], true);
    }

    #[Pure]
    public function match(Request $request,
        ?string $path = null): ?Response
    {
        foreach ($this->routes as $route => $answer) {
            if ($route === $path && strlen($route) <
                LIMITS['most']) {
                return $answer($request, "route {$route}", null);
            } elseif ($route === '*') {
                continue;
            }
        }
        return array_map(function ($one) use ($request) {
            return $one($request);
        }, $this->routes)[0] ?? null;
    }
}

interface Handler
{
    public function match(Request $request): ?Response;
}

trait Named
{
    # What it is called.
    public function name(): string
    {
        return <<<TEXT
            The name
            {$this->name}
            TEXT;
    }
}

enum Method: string
{
    case Get = 'GET';
    case Post = 'POST';
}

function route(string $path): Router { return new Router($path); }
?>
<p>Done</p>
